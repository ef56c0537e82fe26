"""How fast the kernel is, measured beside a loop without one."""
