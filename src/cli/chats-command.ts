import { Command, InvalidArgumentError, Option } from 'commander'
import { exportFormats, type ExportFormat } from '../shared/library/conversation-file.ts'
import { MAX_QUESTION } from '../shared/library/limits.ts'

export interface ChatsOptions {
  readonly json: boolean
}

/** `sotto chats`: all conversations together. */
export function chatsCommand(): Command {
  const command = new Command('chats').description('find conversations, save them as a file, and take in those of other programs')
  command
    .command('search')
    .description('the conversations that have all of these words, or words that begin so, in the title or in any message')
    .argument('<words...>', 'in any order')
    .option('--limit <conversations>', 'at most so many', toLimit, 20)
    .option('--json', 'print JSON', false)
    .action(async (words: string[], options: ChatsOptions & { limit: number }) => {
      const { searchChats } = await import('./chats.ts')
      process.exitCode = await searchChats(words.join(' ').slice(0, MAX_QUESTION), options)
    })
  command
    .command('export')
    .description('print all conversations, or one, as a file; it is not encrypted')
    .addOption(new Option('--format <format>', 'JSON has every branch, the others the one that is shown').choices(exportFormats).default('json'))
    .option('--conversation <id>', 'this one alone, by its id')
    .action(async (options: { format: ExportFormat; conversation?: string }) => {
      const { exportChats } = await import('./chats.ts')
      process.exitCode = await exportChats(options)
    })
  command
    .command('import')
    .description('take in conversations.json of ChatGPT’s or Claude’s export, chats of Open WebUI, or a JSON file that Sotto saved')
    .argument('<file>', 'unpacked')
    .option('--json', 'print what became of it as one line of JSON', false)
    .action(async (file: string, options: ChatsOptions) => {
      const { importChats } = await import('./chats.ts')
      process.exitCode = await importChats(file, options)
    })
  return command
}

function toLimit(text: string): number {
  const limit = Number(text)
  if (!Number.isInteger(limit) || limit < 1 || limit > 50) throw new InvalidArgumentError('A limit is a whole number from 1 to 50.')
  return limit
}
