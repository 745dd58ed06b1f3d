import { readVersion, SettingError } from '../host/index.ts'
import { SottoError } from '../shared/errors.ts'
import { exitOfFailure, exits } from './exit-codes.ts'
import { createProgram } from './program.ts'
import { exitOnUsageErrors } from './usage-errors.ts'

/** 128 and SIGPIPE's number: what a shell says of a program whose reader has gone. */
const READER_GONE = 141

/**
 * Has a command whose reader has gone (`sotto history | head`) end at once and without a word, as others do, and with it what it asked
 * for. Whether anybody reads what it says of itself on standard error changes nothing: a Sotto that serves goes on.
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
