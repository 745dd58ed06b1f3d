import { Help, type Command, type Option } from 'commander'

/**
 * Adds examples to the end of a command's help.
 *
 * @param lines whole command lines
 */
export function addExamples(command: Command, ...lines: readonly string[]): Command {
  return command.addHelpText(
    'after',
    `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  )
}

/** Gives every command of a tree the same help options, and names the command to run after a usage error. */
export function completeHelp(command: Command, path = command.name()): void {
  command.helpOption('-h, --help', 'Show this help')
  if (command.parent && command.commands.length > 0)
    command.helpCommand('help [command]', 'Show help for a command')
  command.configureHelp({ optionDescription: describeOption })
  command.showHelpAfterError(`For usage, run: ${path} --help`)
  for (const child of command.commands) completeHelp(child, `${path} ${child.name()}`)
}

/** A switch is off by default, which goes without saying. */
function describeOption(option: Option): string {
  return option.defaultValue === false ? option.description : new Help().optionDescription(option)
}
