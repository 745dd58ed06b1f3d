import { Command } from 'commander'
import { exits } from './exit-codes.ts'

/** Ends the process with 2 after a usage error of any command of a tree. Commander's own exit code is 1. */
export function exitOnUsageErrors(command: Command): void {
  command.exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? exits.done : exits.unusable))
  for (const child of command.commands) exitOnUsageErrors(child)
}

/**
 * Names an unknown subcommand, of a command that has a default one. Commander passes every word that names no
 * subcommand to the default subcommand, which would only complain about too many arguments.
 */
export function nameUnknownCommands(command: Command): void {
  command.hook('preSubcommand', (parent, chosen) => {
    const [word] = parent.args
    if (word === undefined || word.startsWith('-') || word === chosen.name()) return
    if (chosen.registeredArguments.length === 0) reportUnknownCommand(parent, word)
  })
  for (const child of command.commands) nameUnknownCommands(child)
}

/** Ends with a usage error that names the word and the most similar subcommand of a command. */
export function reportUnknownCommand(command: Command, word: string): never {
  return command.error(`error: unknown command '${word}'${suggestionFor(command, word)}`, {
    code: 'commander.unknownCommand',
  })
}

/** Commander suggests only for commands without a default subcommand, so this asks one that has the same names. */
function suggestionFor(command: Command, word: string): string {
  const lookup = new Command()
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
  for (const each of command.createHelp().visibleCommands(command)) lookup.command(each.name())
  try {
    lookup.parse([word], { from: 'user' })
  } catch (thrown) {
    return /\n\(Did you mean .+\?\)/.exec(thrown instanceof Error ? thrown.message : '')?.[0] ?? ''
  }
  return ''
}
