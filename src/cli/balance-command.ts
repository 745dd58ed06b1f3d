import { Command } from 'commander'
import { addExamples } from './help.ts'

/** `sotto balance`: the balance of the active account. */
export function balanceCommand(): Command {
  const command = new Command('balance')
    .summary('Show the balance of the active account')
    .description('Show the balance of the active account in US dollars, to the last digit.')
    .option('--json', 'Print one line of JSON', false)
    .addHelpText(
      'after',
      '\nExit codes:\n  0  The balance was printed\n  1  No account is active, or the service didn’t report the balance',
    )
    .action(async (options: { json: boolean }) => {
      process.exitCode = await (await import('./balance.ts')).showBalance(options)
    })
  return addExamples(command, 'sotto balance', 'sotto balance --json')
}
