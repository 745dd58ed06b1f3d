import { Command } from 'commander'
import { addExamples } from './help.ts'

/** `sotto projects`: export and import of one project. */
export function projectsCommand(): Command {
  const command = new Command('projects').description('Export and import projects')
  addExamples(
    command
      .command('export')
      .summary('Save a project with its files and chats')
      .description(
        'Save a project with its files and chats in one file, which a passphrase encrypts. Without --passphrase-file, the terminal asks for it.',
      )
      .argument('<name>', 'Name of the project, in any case')
      .argument('<file>', 'New file. An existing file is never replaced')
      .option('--passphrase-file <path>', 'Read the passphrase from this file')
      .option('--plain', 'Save the project without encryption', false)
      .option('--json', 'Print the result as one line of JSON', false)
      .action(
        async (
          name: string,
          file: string,
          options: { passphraseFile?: string; plain: boolean; json: boolean },
        ) => {
          const { exportProject } = await import('./projects.ts')
          process.exitCode = await exportProject(name, file, options)
        },
      ),
    'sotto projects export "Filter design" filter-design.sotto-project',
  )
  addExamples(
    command
      .command('import')
      .summary('Import a project from its file')
      .description(
        'Import a project from its file as a new project. If the import fails or stops, nothing of it stays.',
      )
      .argument('<file>', 'File saved by sotto projects export or by the window')
      .option('--passphrase-file <path>', 'Read the passphrase from this file')
      .option('--json', 'Print the result as one line of JSON', false)
      .action(async (file: string, options: { passphraseFile?: string; json: boolean }) => {
        const { importProject } = await import('./projects.ts')
        process.exitCode = await importProject(file, options)
      }),
    'sotto projects import filter-design.sotto-project',
  )
  return command
}
