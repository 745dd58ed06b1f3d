import type { Argument, Command, Option } from 'commander'

/** An option as completions and the manual show it. */
export interface OptionOutline {
  /** In the form of the help: `-m, --model <id>`. */
  readonly flags: string
  readonly long: string
  readonly short?: string
  readonly takesValue: boolean
  readonly choices: readonly string[]
  readonly description: string
}

/** A command as completions and the manual show it. */
export interface CommandOutline {
  /** The words that lead to it: `sotto keys add`. */
  readonly path: string
  readonly name: string
  readonly summary: string
  readonly description: string
  /** In the form of the help, without the path: `[options] <name>`. */
  readonly usage: string
  readonly options: readonly OptionOutline[]
  /** The values that its first argument can have; empty for any text. */
  readonly choices: readonly string[]
  readonly takesArguments: boolean
  readonly commands: readonly CommandOutline[]
}

/**
 * Describes a command with all its subcommands. Every completion script and the manual come from this one
 * description.
 */
export function outlineOf(command: Command, parent?: string): CommandOutline {
  const path = parent === undefined ? command.name() : `${parent} ${command.name()}`
  const help = command.createHelp()
  const arguments_ = command.registeredArguments
  return {
    path,
    name: command.name(),
    summary: command.summary() || command.description(),
    description: command.description(),
    usage: command.usage(),
    options: help.visibleOptions(command).flatMap(outlineOfOption),
    choices: arguments_[0] ? choicesOf(arguments_[0]) : [],
    takesArguments: arguments_.length > 0,
    commands: help.visibleCommands(command).map((child) => outlineOf(child, path)),
  }
}

function outlineOfOption(option: Option): OptionOutline[] {
  if (option.long === undefined) return []
  return [
    {
      flags: option.flags,
      long: option.long,
      ...(option.short && { short: option.short }),
      takesValue: option.required || option.optional,
      choices: choicesOf(option),
      description: option.description,
    },
  ]
}

function choicesOf({ argChoices }: Pick<Argument | Option, 'argChoices'>): readonly string[] {
  return argChoices ?? []
}

/** A command and all below it. */
export function allCommands(command: CommandOutline): CommandOutline[] {
  return [command, ...command.commands.flatMap(allCommands)]
}
