import { Command, Option } from 'commander'
import { exportFormats, type ExportFormat } from '../shared/library/conversation-file.ts'
import { MAX_QUESTION } from '../shared/library/limits.ts'
import { addExamples } from './help.ts'
import { toWhole } from './option-values.ts'
import type { Output } from './json-output.ts'

/** `sotto chats`: search, export and import. */
export function chatsCommand(): Command {
  const command = new Command('chats').description('Search, export, and import chats')
  addExamples(
    command
      .command('search')
      .summary('Search titles and messages of all chats')
      .description(
        'Search titles and messages of all chats. A chat matches if each search term is the start of one of its words.',
      )
      .argument('<words...>', 'Search terms, in any order')
      .option('--limit <conversations>', 'Maximum number of chats, 1 to 50', toWhole(1, 50), 20)
      .option('--json', 'Print JSON', false)
      .addHelpText('after', '\nExit codes:\n  0  Found\n  1  No matches')
      .action(async (terms: string[], options: Output & { limit: number }) => {
        const { searchChats } = await import('./chats.ts')
        process.exitCode = await searchChats(terms.join(' ').slice(0, MAX_QUESTION), options)
      }),
    'sotto chats search lighthouse keeper',
  )
  addExamples(
    command
      .command('export')
      .summary('Print all chats or one chat')
      .description('Print all chats or one chat to standard output. The output is not encrypted.')
      .addOption(
        new Option(
          '--format <format>',
          'Output format. JSON includes all branches, the others only the current one',
        )
          .choices(exportFormats)
          .default('json'),
      )
      .option('--conversation <id>', 'Export only this chat')
      .action(async (options: { format: ExportFormat; conversation?: string }) => {
        const { exportChats } = await import('./chats.ts')
        process.exitCode = await exportChats(options)
      }),
    'sotto chats export > chats.json',
  )
  addExamples(
    command
      .command('import')
      .summary('Import chats from files')
      .description(
        'Import chat exports of ChatGPT, Claude, Open WebUI and other apps, or a JSON file saved by Sotto. Folders are searched for JSON and ZIP files.',
      )
      .argument('<files...>', 'ZIP, JSON or JSONL files, or folders')
      .option('--preview', 'Show what would be imported, and save nothing', false)
      .option('--json', 'Print the result as one line of JSON', false)
      .action(async (files: string[], options: Output & { preview: boolean }) => {
        const { importChats } = await import('./chats.ts')
        process.exitCode = await importChats(files, options)
      }),
    'sotto chats import export.zip',
  )
  return command
}
