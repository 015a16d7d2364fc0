"""Number Collapse in the tests."""

from hypothesis import strategies as st

OPTIONS = st.fixed_dictionaries(
    {}, optional={"size": st.integers(3, 5), "target": st.integers(1, 45)}
)


def random_options(rng):
    size = rng.choice([3, 3, 4, 5])
    return rng.choice([{"size": size}, {"size": size, "target": rng.randint(5, 20)}])


def referee(setup, moves):
    size, target = setup["size"], setup["target"]
    grid = {divmod(index, size): number for index, number in enumerate(setup["cells"])}
    totals, reached_by = [0, 0], []
    for turn, move in enumerate(moves):
        player = turn % 2
        row, column = divmod(move - 1, size)
        number = grid.pop((row, column))
        for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
            if grid.get(near, number) < number:
                del grid[near]
        totals[player] += number
        reached_by.append((player, totals[player]))
    one, two = totals
    round_complete = len(moves) % 2 == 0
    if two >= target or (one >= target and round_complete):
        return 2 if two > one else 1
    if one >= target:
        chance = any(two + n >= target and two + n > one for n in grid.values())
        return None if chance else 1
    if grid:
        return None
    if one != two:
        return 1 if one > two else 2
    return 1 + next(player for player, total in reached_by if total == one)
