import { Argument, Command } from 'commander'
import { freshEvidenceSources, type FreshEvidenceSource } from '../shared/fresh-evidence.ts'
import type { FirmwareMinimum } from './privacy.ts'
import { addExamples } from './help.ts'
import type { Output } from './json-output.ts'

/** `sotto privacy …`: what the Privacy screen lets a person choose. */
export function privacyCommand(): Command {
  const privacy = new Command('privacy').description('Manage privacy settings')

  addExamples(
    privacy
      .command('show', { isDefault: true })
      .description('Show the privacy settings of the chosen service')
      .option('--json', 'Print one line of JSON', false)
      .action(async (options: Output) => {
        const { showPrivacy } = await import('./privacy.ts')
        process.exitCode = await showPrivacy(options)
      }),
    'sotto privacy show',
  )

  addExamples(
    privacy
      .command('fresh-evidence')
      .summary('Choose where fresh evidence comes from')
      .description(
        'Choose where Sotto asks for evidence that answers a random number. The enclave’s own server (direct) sees this computer’s address. The service (relayed) may not pass the request on. You confirm asking for less in the terminal that runs Sotto or in a system dialog.',
      )
      .addArgument(new Argument('<source>', 'Where Sotto asks').choices([...freshEvidenceSources]))
      .option('--json', 'Print one line of JSON', false)
      .action(async (from: FreshEvidenceSource, options: Output) => {
        const { setFreshEvidence } = await import('./privacy.ts')
        process.exitCode = await setFreshEvidence(from, options)
      }),
    'sotto privacy fresh-evidence direct',
  )

  addExamples(
    privacy
      .command('firmware-minimum')
      .summary('Choose which server firmware is accepted')
      .description(
        'Choose which server firmware is accepted: at least Sotto’s minimum (the default), or at least the provider’s lower one. You confirm the lower one in the terminal that runs Sotto or in a system dialog.',
      )
      .addArgument(new Argument('<minimum>', 'Whose minimum applies').choices(['sotto', 'provider']))
      .option('--json', 'Print one line of JSON', false)
      .action(async (minimum: FirmwareMinimum, options: Output) => {
        const { setFirmwareMinimum } = await import('./privacy.ts')
        process.exitCode = await setFirmwareMinimum(minimum, options)
      }),
    'sotto privacy firmware-minimum sotto',
  )

  addExamples(
    privacy
      .command('replace-cache-secrets')
      .summary('Replace the secrets of the prompt cache')
      .description(
        'Replace the secrets that keep your cached prompts separate from those of other customers. The next private requests can’t use prompts that are cached now.',
      )
      .option('--json', 'Print one line of JSON', false)
      .action(async (options: Output) => {
        const { replaceCacheSecrets } = await import('./privacy.ts')
        process.exitCode = await replaceCacheSecrets(options)
      }),
    'sotto privacy replace-cache-secrets',
  )

  return privacy
}
