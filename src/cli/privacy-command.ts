import { Command } from 'commander'
import { addExamples } from './help.ts'

/** `sotto privacy …`: what the Privacy screen lets a person choose. */
export function privacyCommand(): Command {
  const privacy = new Command('privacy').description('Manage privacy settings')

  addExamples(privacy
    .command('replace-cache-secrets')
    .summary('Replace the secrets of the prompt cache')
    .description('Replace the secrets that keep your cached prompts separate from those of other customers. The next private requests can’t use prompts that are cached now.')
    .option('--json', 'Print one line of JSON', false)
    .action(async (options: { json: boolean }) => {
      const { replaceCacheSecrets } = await import('./privacy.ts')
      process.exitCode = await replaceCacheSecrets(options)
    }), 'sotto privacy replace-cache-secrets')

  return privacy
}
