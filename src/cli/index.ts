import { readVersion } from '../host/application-root.ts'
import { createProgram } from './program.ts'
import { runProgram } from './run-program.ts'

/**
 * 128 plus the number of SIGPIPE: the exit code that shells report for a program whose reader has closed the
 * pipe.
 */
const READER_GONE = 141

/**
 * If the reader closes the pipe (`sotto history | head`), the command and its requests end at once and
 * without a message, like other commands. A closed standard error changes nothing, so a serving Sotto
 * continues.
 */
function handleEpipe(): void {
  process.stdout.on('error', (error: Error) => {
    const code = 'code' in error ? String(error.code) : ''
    if (code === 'EPIPE') process.exit(READER_GONE)
    process.stderr.write(
      `Couldn’t write to standard output${code === '' ? '' : ` (${code})`}. Check the disk or the program that reads it.\n`,
    )
    process.exit(1)
  })
  process.stderr.on('error', () => undefined)
}

handleEpipe()
await runProgram(createProgram(await readVersion()), process.argv)
