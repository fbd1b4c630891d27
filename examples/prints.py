"""Runs an example and compares what it prints with the comment at the end of its source."""
import subprocess
import sys


def printed_by(source):
    """The lines that an example prints, or none where its source does not say."""
    return [line[3:].rstrip() for line in source.partition('// Prints:\n')[2].splitlines()]


if __name__ == '__main__':
    program, path = sys.argv[1:]
    with open(path) as file:
        expected = printed_by(file.read())
    if not expected:
        sys.exit(f'{path} does not say what it prints: `// Prints:` and the lines at its end')
    done = subprocess.run([program], capture_output=True, text=True)
    if done.returncode != 0 or done.stdout.splitlines() != expected:
        sys.exit(f'status {done.returncode}, stderr {done.stderr!r}, printed\n{done.stdout}instead of\n' + '\n'.join(expected))
