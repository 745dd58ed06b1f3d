import { readVersion, SettingError } from '../host/index.ts'
import { SottoError } from '../shared/errors.ts'
import { exitOfFailure, exits } from './exit-codes.ts'
import { createProgram } from './program.ts'
import { exitOnUsageErrors } from './usage-errors.ts'

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
try {
  const program = createProgram(await readVersion())
  exitOnUsageErrors(program)
  await program.parseAsync()
} catch (thrown) {
  if (!(thrown instanceof SottoError) && !(thrown instanceof SettingError)) throw thrown
  process.stderr.write(`${thrown.message}${thrown instanceof SottoError ? ` (${thrown.code})` : ''}\n`)
  process.exitCode = thrown instanceof SottoError ? exitOfFailure(thrown) : exits.unusable
}
