"""The same measurements on other people's systems, each driven as its own documentation drives it.

Runs in an environment of its own (`make bench-peers`) and prints JSON lines; `python -m bench --peers` reads them.
"""

import random
import sys
import warnings
from collections.abc import Callable

import numpy
import pyspiel
import rlcard
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.games import tic_tac_toe  # noqa: F401  (importing it registers python_tic_tac_toe)
from pettingzoo.classic import tictactoe_v3

from bench import hand
from bench.harness import Measure, json_lines, rates

SIMULATIONS = 200


def open_spiel_tic_tac_toe() -> Callable[[], int]:
    game = pyspiel.load_game("python_tic_tac_toe")
    chance = random.Random(1)

    def play() -> int:
        state = game.new_initial_state()
        decisions = 0
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            decisions += 1
        return decisions

    return play


def pettingzoo_tic_tac_toe() -> Callable[[], int]:
    env = tictactoe_v3.env()
    chance = random.Random(1)

    def play() -> int:
        env.reset()
        decisions = 0
        for _agent in env.agent_iter():
            observation, _reward, termination, truncation, _info = env.last()
            if termination or truncation:
                env.step(None)
                continue
            env.step(int(chance.choice(numpy.flatnonzero(observation["action_mask"]))))
            decisions += 1
        return decisions

    return play


def rlcard_leduc() -> Callable[[], int]:
    env = rlcard.make("leduc-holdem", config={"seed": 1})
    chance = random.Random(1)

    def play() -> int:
        state, _player = env.reset()
        decisions = 0
        while not env.is_over():
            state, _player = env.step(chance.choice(list(state["legal_actions"])))
            decisions += 1
        return decisions

    return play


def open_spiel_search() -> Callable[[], int]:
    """OpenSpiel's Python search on its own C++ Leduc poker: whole matches, counting iterations."""
    game = pyspiel.load_game("leduc_poker")
    chance = numpy.random.RandomState(1)
    bot = ismcts.ISMCTSBot(
        game=game,
        evaluator=mcts.RandomRolloutEvaluator(1, chance),
        uct_c=2.0,
        max_simulations=SIMULATIONS,
        random_state=chance,
    )

    def play() -> int:
        state = game.new_initial_state()
        iterations = 0
        while not state.is_terminal():
            if state.is_chance_node():
                actions, probabilities = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(chance.choice(actions, p=probabilities))
                continue
            state.apply_action(bot.step(state))
            iterations += SIMULATIONS
        return iterations

    return play


def main() -> None:
    warnings.simplefilter("ignore")
    measures = [
        Measure("OpenSpiel's Python tic-tac-toe", "decisions", open_spiel_tic_tac_toe()),
        Measure("PettingZoo's tic-tac-toe", "decisions", pettingzoo_tic_tac_toe()),
        Measure("RLCard's Leduc", "decisions", rlcard_leduc()),
        Measure("OpenSpiel's ISMCTSBot on its C++ Leduc", "iterations", open_spiel_search()),
    ]
    print(json_lines(rates(measures, hand.measure(), rounds=int(sys.argv[1]), seconds=float(sys.argv[2]))))


if __name__ == "__main__":
    main()
