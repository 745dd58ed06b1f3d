import type { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { createProgram } from '../../src/cli/program.ts'

const MAX_WORDS = 25
/** Words that people don't read easily. `alone` and `by itself` have plain words: only, automatically. */
const DENIED =
  /\b(?:anew|meanwhile|whoever|reckon\w*|mend\w*|let go|given up|stands|beside|but for|told|pretended|taken in|by itself|alone|said|kept|made)\b/i

const program = createProgram('1.2.3')

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name()
}

function everyCommand(command: Command): Command[] {
  return [command, ...command.commands.flatMap(everyCommand)]
}

/** What `--help` prints. */
function helpOf(command: Command): string {
  let text = ''
  command.configureOutput({ writeOut: (part) => (text += part) })
  command.outputHelp()
  return text
}

/** The texts of a command that hold sentences: not its usage line, names or examples. */
function textsOf(command: Command): string[] {
  const { helpWidth: _, ...help } = command.createHelp()
  const after =
    helpOf(command)
      .split(/^Exit codes:$/m)[1]
      ?.split(/^Examples?:$/m)[0] ?? ''
  return [
    command.description(),
    command.summary(),
    after,
    ...command.options.map((option) => command.createHelp().optionDescription.call(help, option)),
    ...command.registeredArguments.map((argument) => command.createHelp().argumentDescription(argument)),
  ]
}

function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?:])\s+|\n/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}

const commands = everyCommand(program).map((command) => [pathOf(command), command] as const)

describe.each(commands)('the help of %s', (path, command) => {
  it('has short sentences', () => {
    const long = textsOf(command)
      .flatMap(sentencesOf)
      .filter((sentence) => sentence.split(/\s+/).length > MAX_WORDS)
    expect(long).toEqual([])
  })

  it('has none of the words that the standard replaces', () => {
    expect(DENIED.exec(helpOf(command))?.[0]).toBeUndefined()
  })

  it('starts each text with a capital letter and describes every option and argument', () => {
    const texts = [
      command.description(),
      ...command.options.map(({ description }) => description),
      ...command.registeredArguments.map(({ description }) => description),
    ]
    // Values of an option may come first, as they are typed.
    expect(texts.filter((text) => !/^(?:["A-Z]|silent, |file \()/.test(text))).toEqual([])
  })

  it('has a one-line summary and examples', () => {
    expect((command.summary() || command.description()).length).toBeLessThanOrEqual(
      command === program ? 200 : 80,
    )
    if (command.commands.length === 0)
      expect(helpOf(command)).toMatch(new RegExp(`^Examples?:\\n(?: {2}.*\\b${path}\\b.*\\n?)+`, 'm'))
  })
})

describe('help for a command', () => {
  it.each(commands.filter(([path]) => path !== 'sotto'))(
    '"sotto help" prints the same as %s --help',
    async (path, command) => {
      const expected = helpOf(command)
      let printed = ''
      const fresh = createProgram('1.2.3')
      for (const each of everyCommand(fresh))
        each.exitOverride().configureOutput({ writeOut: (part) => (printed += part) })
      await expect(
        fresh.parseAsync(['help', ...path.split(' ').slice(1)], { from: 'user' }),
      ).rejects.toMatchObject({ code: 'commander.help' })
      expect(printed).toBe(expected)
    },
  )

  it('names the command to run after a usage error', async () => {
    let printed = ''
    const fresh = createProgram('1.2.3')
    for (const each of everyCommand(fresh))
      each.exitOverride().configureOutput({ writeErr: (part) => (printed += part) })
    await expect(
      fresh.parseAsync(['keys', 'add', 'Editor', '--rate', 'often'], { from: 'user' }),
    ).rejects.toMatchObject({ code: 'commander.invalidArgument' })
    expect(printed).toMatch(
      /Use a whole number from 1 to 1000000\.\nFor usage, run: sotto keys add --help\n$/,
    )
    printed = ''
    await expect(fresh.parseAsync(['kees'], { from: 'user' })).rejects.toMatchObject({
      code: 'commander.unknownCommand',
    })
    expect(printed).toBe(
      "error: unknown command 'kees'\n(Did you mean keys?)\nFor usage, run: sotto --help\n",
    )
    printed = ''
    await expect(fresh.parseAsync(['help', 'kees'], { from: 'user' })).rejects.toMatchObject({
      code: 'commander.unknownCommand',
    })
    expect(printed).toContain("unknown command 'kees'")
  })
})
