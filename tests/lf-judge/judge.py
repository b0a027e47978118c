#!/usr/bin/env python3
"""Asks a naive kernel (`kernel.py`) whether Auspex is right about random LF programs (`programs.py`).

    tests/lf-judge/judge.py target/release/auspex --first 1 --count 1000

Of every program: the verdict, the kinds of all faults, everything that can be printed; the same with other options, from a
compiled file, and for runs; a random PROPERTY, and a formula. What differs is kept in --keep, and the exit code is 1.
"""

import argparse
import collections
import json
import pathlib
import random
import subprocess
import sys
import tempfile

import graphs
import kernel
import programs

VARIANTS = [
    ["--unsorted"],
    ["--workers", "1"],
    ["--workers", "4"],
    ["--store", "compact"],
    ["--cache", "1M"],
    ["--order", "breadth"],
    ["--no-links"],
    ["--slice"],
    ["--allow", "deadlock"],
]
ALGORITHMS = [["--algorithm", name] for name in ("nested", "components", "cndfs", "owcty", "map")]
ALGORITHMS += [["--workers", "1"], ["--cache", "1M"], ["--slice"], ["--unsorted"]]


class Refused(Exception):
    """The compiler has seen that it goes wrong: a constant index that is outside, a division by 0."""


class Judge:
    def __init__(self, auspex, directory, seed):
        self.auspex, self.seed = auspex, seed
        self.random = random.Random(seed)
        self.fine = ["--fine"] if seed % 5 == 0 else []
        self.name = f"f{seed}"
        self.file = directory / f"{self.name}.lf"
        self.program = programs.Generator(seed).program

    def run(self, *arguments):
        return subprocess.run([self.auspex, *arguments], capture_output=True, text=True, timeout=300)

    def check(self, *arguments):
        """Verdict and kinds of faults of each property, and what can be printed."""
        done = self.run("check", *arguments, "--format", "json", "--trace", f"{self.file}.trace")
        if done.returncode == 2:
            raise Refused(done.stderr)
        if done.returncode not in (0, 1, 3):
            raise AssertionError(f"{arguments}: exit code {done.returncode}: {done.stderr}")
        report = json.loads(done.stdout)
        found = {
            result["property"]: (result["verdict"], {fault["kind"] for fault in result["faults"]})
            for result in report["results"]
        }
        texts = [note["message"] for note in report["warnings"]]
        return found, {json.loads(text) for text in texts if text.startswith('"')}

    def expect(self, found, wanted, what):
        if found != wanted:
            raise AssertionError(f"{what}: {found}, the judge says {wanted}")

    def safety(self):
        states = kernel.explore(self.program, bool(self.fine))
        faults = set().union(*(faults for _, _, faults in states))
        printed = {state.printed for state, _, _ in states if not state.processes}
        self.file.write_text(programs.module(self.program, self.name))
        found, texts = self.check(self.file, "--record", "--all", *self.fine)
        verdict = "violated" if faults else "holds"
        self.expect(found["safety"], (verdict, faults), "faults")
        if len(texts) < 100:
            self.expect(texts, printed, "what is printed")
        for options in self.random.sample(VARIANTS, 3):
            self.variant(options, faults)
        compiled = f"{self.file}o"
        self.run("build", self.file, "-o", compiled, *self.fine)
        self.expect(self.check(compiled, "--all")[0]["safety"], (verdict, faults), "compiled")
        if not faults and not self.program.has_server:
            for scheduler in ("rr", "edf", "random"):
                done = self.run("run", self.file, "--scheduler", scheduler, "--seed", str(self.seed))
                if done.stdout not in printed:
                    raise AssertionError(f"{scheduler}: {done.stdout!r} is none of {printed}")
        return verdict

    def variant(self, options, faults):
        verdict, _ = self.check(self.file, *options, *self.fine)[0]["safety"]
        if "deadlock" in options:
            faults = faults - {"deadlock"}
        if "--slice" in options:
            faults = faults & {"assertion"} if verdict == "holds" else faults
        if "compact" in options and verdict == "unknown" and not faults:
            return
        self.expect(verdict, "violated" if faults else "holds", " ".join(options))

    def runs(self):
        """A random automaton, as PROPERTY, and a formula."""
        states = kernel.explore(self.program, bool(self.fine), record=False, limit=1500)
        # Where nothing goes on, the last state lasts for ever.
        edges = [successors or [number] for number, (_, successors, _) in enumerate(states)]
        holds = lambda condition, number: graphs.value(condition, states[number][0].variables)
        atom = self.atoms()
        count = self.random.randint(1, 3)
        steps = [
            (self.random.randrange(count), atom(), self.random.randrange(count))
            for _ in range(self.random.randint(2, 5))
        ]
        accepting = self.random.randrange(count)
        lines = ["PROPERTY Bad;", "VAR at: INTEGER;", "BEGIN", "  LOOP"]
        for number, (source, condition, target) in enumerate(steps):
            accept = "; ACCEPT" if target == accepting else ""
            test = f"(at = {source}) & {programs.expression(condition)}"
            lines += [
                "    OR" if number else "    CHOICE",
                f"      IF ~({test}) THEN NOMOVE END; at := {target}{accept}",
            ]
        lines += ["    END", "  END", "END Bad;"]
        self.file.write_text(programs.module(self.program, self.name, lines))
        is_bad = graphs.accepts(edges, steps, accepting, holds)
        formula, is_violated = graphs.formula(edges, atom(), atom(), holds, self.random)
        options = [*self.random.choice(ALGORITHMS), *self.fine]
        found, _ = self.check(self.file, "--property", "Bad", "--property", "ltl", "--ltl", formula, *options)
        verdicts = {True: "violated", False: "holds"}
        self.expect(found["Bad"][0], verdicts[is_bad], f"PROPERTY {options}")
        self.expect(found["ltl"][0], verdicts[is_violated], f"{formula} {options}")

    def atoms(self):
        generator = programs.Generator(self.seed + 1)
        generator.is_risky, generator.scope = False, ["g0", "g1", "b0", "ga", "g8"]
        return lambda: generator.condition(1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("auspex")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--keep", type=pathlib.Path, help="where programs go that are judged differently")
    options = parser.parse_args()
    outcomes, wrong = collections.Counter(), 0
    with tempfile.TemporaryDirectory() as directory:
        for seed in range(options.first, options.first + options.count):
            judge = Judge(options.auspex, pathlib.Path(directory), seed)
            try:
                outcomes[judge.safety()] += 1
                judge.runs()
                outcomes["runs"] += 1
            except kernel.TooBig:
                outcomes["too big"] += 1
            except Refused:
                outcomes["refused"] += 1
            except AssertionError as difference:
                wrong += 1
                print(f"{judge.name}: {difference}", flush=True)
                if options.keep:
                    options.keep.mkdir(parents=True, exist_ok=True)
                    (options.keep / judge.file.name).write_text(judge.file.read_text())
            for file in judge.file.parent.iterdir():
                file.unlink()
    print(", ".join(f"{count} {outcome}" for outcome, count in sorted(outcomes.items())))
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
