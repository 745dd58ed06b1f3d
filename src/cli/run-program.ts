import type { Command } from 'commander'
import { SettingError } from '../host/log-settings.ts'
import { exits } from './exit-codes.ts'
import { exitOnUsageErrors } from './usage-errors.ts'
import { exitOfThrown } from './with-client.ts'

/**
 * Runs one command line. A failure that no command handled, such as an unsafe data folder, is printed in the form of
 * the command: as one line of JSON with `--json`, otherwise as a sentence on standard error. An unusable setting is a
 * usage error, so it's always a sentence.
 *
 * @param argv as in `process.argv`
 */
export async function runProgram(program: Command, argv: readonly string[]): Promise<void> {
  let json = false
  program.hook('preAction', (_program, command) => {
    json = command.opts()['json'] === true
  })
  exitOnUsageErrors(program)
  try {
    await program.parseAsync(argv)
  } catch (thrown) {
    if (thrown instanceof SettingError) {
      process.stderr.write(`${thrown.message}\n`)
      process.exitCode = exits.unusable
      return
    }
    process.exitCode = exitOfThrown(thrown, json)
  }
}
