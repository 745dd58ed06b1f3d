import { Command, Option } from 'commander'
import { accountCommand, balanceCommand } from './account-command.ts'
import { chatsCommand } from './chats-command.ts'
import {
  convertCommand,
  imageCommand,
  videoCommand,
  speakCommand,
  transcribeCommand,
} from './studio/media-commands.ts'
import { completionCommand } from './completion/completion-command.ts'
import { addExamples, completeHelp } from './help.ts'
import { databaseCommand } from './database-command.ts'
import { historyCommand } from './history-command.ts'
import { keysCommand } from './keys-command.ts'
import { privacyCommand } from './privacy-command.ts'
import { projectsCommand } from './projects-command.ts'
import { serviceEnclaveCommand } from './service-enclave-command.ts'
import type { SandboxCommand } from './sandbox.ts'
import { runCommand } from './run-command.ts'
import { serveCommand, toPort } from './serve-command.ts'
import { dataCommand } from './studio/data-command.ts'
import { embedCommand } from './studio/embed-command.ts'
import { jobsCommand } from './studio/jobs-command.ts'
import { topupCommand } from './topup-command.ts'
import { verifyCommand, verifyReleaseCommand } from './verify-command.ts'
import { nameUnknownCommands, reportUnknownCommand } from './usage-errors.ts'
import { walletCommand } from './wallet-command.ts'
import type { Output } from './json-output.ts'

/** The whole command line. Each command loads its code when it runs. */
export function createProgram(version: string): Command {
  const program = new Command('sotto')
    .description(
      'Chat with private AI models. Sotto verifies the server before it sends a private request. Also a local OpenAI-compatible API for your tools.',
    )
    .version(version, '-V, --version', 'Show the version')
    .helpCommand(false)
  program.addCommand(serveCommand(), { isDefault: true })
  for (const command of [
    createOpenCommand(),
    lockCommand(),
    verifyCommand(),
    verifyReleaseCommand(),
    runCommand(),
    chatCommand(),
    askCommand(),
    imageCommand(),
    videoCommand(),
    speakCommand(),
    transcribeCommand(),
    embedCommand(),
    convertCommand(),
    dataCommand(),
    jobsCommand(),
    accountCommand(),
    balanceCommand(),
    topupCommand(),
    keysCommand(),
    databaseCommand(),
    privacyCommand(),
    serviceEnclaveCommand(),
    historyCommand(),
    chatsCommand(),
    projectsCommand(),
    walletCommand(),
    selfTestCommand(),
    sandboxCommand(),
    completionCommand(program),
    helpCommand(program),
  ])
    program.addCommand(command)
  completeHelp(program)
  nameUnknownCommands(program)
  return program
}

function createOpenCommand(): Command {
  const command = new Command('open')
    .description('Show the running Sotto, or start it')
    .option('--print', 'Print the address instead of opening a browser', false)
    .action(async (options: { print: boolean }) => {
      const { open } = await import('./serve.ts')
      await open(options)
    })
  return addExamples(command, 'sotto open', 'sotto open --print')
}

function lockCommand(): Command {
  const command = new Command('lock')
    .summary('Lock the running Sotto')
    .description('Lock the running Sotto. Keys are removed from memory and running replies stop.')
    .option('--json', 'Print the result as one line of JSON', false)
    .addHelpText(
      'after',
      '\nExit codes:\n  0  Sotto is locked or isn’t running\n  1  Sotto couldn’t be locked',
    )
    .action(async (options: Output) => {
      const { lock } = await import('./lock.ts')
      process.exitCode = await lock(options)
    })
  return addExamples(command, 'sotto lock')
}

function chatCommand(): Command {
  const command = new Command('chat')
    .summary('Chat in the terminal')
    .description('Chat in the terminal. Press Ctrl-C to stop a reply and its cost.')
    .argument(
      '[prompt...]',
      'One question. Without it: a chat in the terminal, or standard input if it is piped',
    )
    .option(
      '-m, --model <id>',
      'Model ID from the price list (default: the project’s model, or a private model)',
    )
    .option(
      '--project <name>',
      'Begin the chat in this project, with its instructions, parameters and budget',
    )
    .option('--yes', 'Send the listed passages of the project without asking', false)
    .action(async (prompt: string[], options: { model?: string; project?: string; yes: boolean }) => {
      const { chat } = await import('./chat.ts')
      process.exitCode = await chat({ ...options, ...(prompt.length > 0 && { prompt: prompt.join(' ') }) })
    })
  return addExamples(
    command,
    'sotto chat',
    'sotto chat "Explain HPKE in one paragraph"',
    'cat notes.txt | sotto chat',
    'sotto chat --project "Filter design"',
  )
}

interface AskCommand {
  readonly file?: string[]
  readonly model?: string
  readonly project?: string
  readonly yes: boolean
}

function askCommand(): Command {
  const command = new Command('ask')
    .summary('Ask one question about files')
    .description(
      'Ask one question about text files or piped text, in a chat that isn’t saved. Press Ctrl-C to stop the reply and its cost.',
    )
    .argument('[question...]', 'The question. Without it, standard input is the question')
    .option('-f, --file <path...>', 'Text files that go with the question')
    .option(
      '-m, --model <id>',
      'Model ID from the price list (default: the project’s model, or a private model)',
    )
    .option(
      '--project <name>',
      'Ask in this project, with its instructions, budget and passages of its files',
    )
    .option('--yes', 'Send the listed passages of the project without asking', false)
    .action(async (question: string[], { file = [], ...options }: AskCommand) => {
      const { ask } = await import('./ask.ts')
      process.exitCode = await ask(question.length > 0 ? question.join(' ') : undefined, {
        file,
        ...options,
      })
    })
  return addExamples(
    command,
    'sotto ask "Which clause allows an early exit?" --file lease.txt',
    'git diff | sotto ask "Explain this change"',
  )
}

function selfTestCommand(): Command {
  const command = new Command('self-test')
    .summary('Test the verifier against simulated attacks')
    .description(
      'Test the verifier against simulated attacks. It needs no network, no account, and no running Sotto.',
    )
    .option('--json', 'Print the results as one line of JSON', false)
    .addHelpText(
      'after',
      '\nExit codes:\n  0  Every attempt ended as expected\n  1  An attempt didn’t end as expected, or the test was stopped',
    )
    .action(async (options: Output) => {
      const { selfTest } = await import('./self-test.ts')
      process.exitCode = await selfTest(options)
    })
  return addExamples(command, 'sotto self-test')
}

function sandboxCommand(): Command {
  const command = new Command('sandbox')
    .summary('Run the sandbox service for testing')
    .description(
      'Run the sandbox service for testing: simulated models, no real money. Its API is documented at /openapi.html.',
    )
    .addOption(new Option('--port <port>', 'Port to listen on').argParser(toPort).default(0, 'any free port'))
    .addOption(
      new Option('--revision <revision>', 'Revision of the service’s API').choices(['A', 'B']).default('B'),
    )
    .option('--data <folder>', 'Save accounts and records in this folder (default: nothing is saved)')
    .option('--seed <text>', 'Make IDs and keys reproducible')
    .addOption(
      new Option('--lightning <nodes>', 'Lightning nodes: simulated, or two real LDK nodes on a test chain')
        .choices(['simulated', 'ldk'])
        .default('simulated'),
    )
    .option('--json', 'Print one line of JSON when ready', false)
    .action(async (options: SandboxCommand) => {
      const { sandbox } = await import('./sandbox.ts')
      await sandbox(options)
    })
  return addExamples(command, 'sotto sandbox --port 9402', 'sotto sandbox --revision A --data ./sandbox-data')
}

function helpCommand(program: Command): Command {
  const command = new Command('help')
    .description('Show help for a command')
    .argument('[command...]', 'Name of the command, such as: keys add')
    .action((names: string[]) => findCommand(program, names).help())
  return addExamples(command, 'sotto help image', 'sotto help keys add')
}

function findCommand(program: Command, names: readonly string[]): Command {
  return names.reduce((command, name) => {
    const found = command.commands.find((each) => each.name() === name)
    return found ?? reportUnknownCommand(command, name)
  }, program)
}
