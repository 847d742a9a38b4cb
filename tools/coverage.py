#!/usr/bin/env python3
"""Which lines of the sources were reached by what has run with counters built in.

    coverage.py FOLDER

FOLDER is where the sources were built with gcc --coverage, in as many programs as there are. For
each file below its src/ prints how many lines have been reached, of how many; then the lines that
none has, with their text.
"""

import collections
import json
import os
import subprocess
import sys


def counters(folder):
    """The files with counters."""
    for path, _, names in os.walk(folder):
        for name in names:
            if name.endswith('.gcda'):
                yield os.path.join(path, name)


def read(folder):
    """File name and line number, to how often the line was reached."""
    reached = collections.defaultdict(lambda: collections.defaultdict(int))
    sources = os.path.join(folder, 'src') + os.sep
    for path in counters(folder):
        text = subprocess.run(['gcov', '--json-format', '--stdout', path], check=True,
                              stdout=subprocess.PIPE).stdout
        for document in map(json.loads, text.splitlines()):
            for file in document['files']:
                name = os.path.realpath(os.path.join(document['current_working_directory'],
                                                     file['file']))
                if name.startswith(sources):
                    for line in file['lines']:
                        reached[name][line['line_number']] += line['count']
    return reached


def ranges(numbers):
    """Runs of consecutive numbers, as pairs."""
    runs = []
    for number in sorted(numbers):
        if runs and runs[-1][1] == number - 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return runs


def main():
    folder = os.path.realpath(sys.argv[1])
    reached = read(folder)
    if not reached:
        sys.exit('no counters below ' + folder)
    covered = total = 0
    print(f'{"file":32} {"reached":>8} {"lines":>8}')
    for name in sorted(reached):
        lines = reached[name]
        hit = sum(count > 0 for count in lines.values())
        covered += hit
        total += len(lines)
        print(f'{os.path.relpath(name, folder):32} {hit:8} {len(lines):8}')
    print(f'{"all":32} {covered:8} {total:8}  {100 * covered / total:.1f} %')
    print('\nnot reached:')
    for name in sorted(reached):
        with open(name, encoding='utf-8') as file:
            text = file.read().splitlines()
        missing = [number for number, count in reached[name].items() if count == 0]
        for first, last in ranges(missing):
            print(f'{os.path.relpath(name, folder)}:{first}')
            for number in range(first, last + 1):
                print('    ' + text[number - 1].expandtabs(4))


if __name__ == '__main__':
    main()
