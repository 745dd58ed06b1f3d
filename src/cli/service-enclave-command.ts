import { Argument, Command } from 'commander'
import { chatRoutes, type ChatRoute } from '../shared/chat-route.ts'
import { imageRules, type ImageRule } from '../shared/policy/service-enclave.ts'
import { addExamples } from './help.ts'
import type { Output } from './json-output.ts'

/** `sotto service-enclave …`: the service's own enclave, which passes chat on to the model's provider. */
export function serviceEnclaveCommand(): Command {
  const enclave = new Command('service-enclave')
    .summary('Manage chat through the service’s own enclave')
    .description(
      'Manage chat through the service’s own enclave. The model’s provider can read such chat, and the service can’t.',
    )
  const command = (name: string): Command =>
    enclave.command(name).option('--json', 'Print one line of JSON', false)

  addExamples(
    enclave
      .command('show', { isDefault: true })
      .description('Show how chat with models that aren’t private is sent')
      .option('--json', 'Print one line of JSON', false)
      .action(async (options: Output) => {
        const { showServiceEnclave } = await import('./service-enclave.ts')
        process.exitCode = await showServiceEnclave(options)
      }),
    'sotto service-enclave show',
  )

  addExamples(
    command('verify')
      .summary('Verify the service’s enclave now')
      .description(
        'Fetch evidence of the service’s enclave, and verify it step by step. Exit code 0: verified; 1: refused, or not reachable.',
      )
      .action(async (options: Output) => {
        const { verifyServiceEnclave } = await import('./service-enclave.ts')
        process.exitCode = await verifyServiceEnclave(options)
      }),
    'sotto service-enclave verify',
  )

  addExamples(
    command('route')
      .summary('Choose how chat is sent')
      .description(
        'Choose how chat with models that aren’t private is sent. With relayed, it’s sent only through the service’s verified enclave. With relayed-if-verified, the service can read it if the enclave can’t be verified. With forwarded, the service can always read it. You confirm letting the service read more in the terminal that runs Sotto or in a system dialog.',
      )
      .addArgument(new Argument('<route>', 'How chat is sent').choices([...chatRoutes]))
      .action(async (route: ChatRoute, options: Output) => {
        const { setChatRoute } = await import('./service-enclave.ts')
        process.exitCode = await setChatRoute(route, options)
      }),
    'sotto service-enclave route relayed',
  )

  addExamples(
    command('rule')
      .summary('Choose which images are accepted')
      .description(
        'Choose which images of the service’s enclave are accepted. The service’s record, which isn’t signed, names the published ones. You approve the approved ones, and add the provenance of the proven ones. You confirm a weaker rule in the terminal that runs Sotto or in a system dialog.',
      )
      .addArgument(new Argument('<rule>', 'Which images are accepted').choices([...imageRules]))
      .action(async (rule: ImageRule, options: Output) => {
        const { setImageRule } = await import('./service-enclave.ts')
        process.exitCode = await setImageRule(rule, options)
      }),
    'sotto service-enclave rule published',
  )

  addExamples(
    command('approve')
      .summary('Approve the running image')
      .description(
        'Approve the image that runs now. From then on, only images that you approve are accepted. You confirm it in the terminal that runs Sotto or in a system dialog.',
      )
      .argument('<pcr0>', 'PCR0 of the image: 96 hex digits, as show prints it')
      .action(async (pcr0: string, options: Output) => {
        const { approveImage } = await import('./service-enclave.ts')
        process.exitCode = await approveImage(pcr0, options)
      }),
    'sotto service-enclave approve 8b1c…',
  )

  addExamples(
    command('prove')
      .summary('Add the provenance of an image')
      .description(
        'Verify that an image came out of the publisher’s workflow, and accept it under the rule "proven".',
      )
      .argument('<file>', 'PCR.json, as the workflow attested it')
      .argument('<bundle>', 'Its Sigstore bundle')
      .action(async (file: string, bundle: string, options: Output) => {
        const { proveImage } = await import('./service-enclave.ts')
        process.exitCode = await proveImage(file, bundle, options)
      }),
    'sotto service-enclave prove PCR.json PCR.bundle.json',
  )

  addExamples(
    command('remove')
      .summary('Stop accepting an image')
      .description('Stop accepting an image that you approved, or whose provenance you added.')
      .argument('<pcr0>', 'PCR0 of the image: 96 hex digits, as show prints it')
      .action(async (pcr0: string, options: Output) => {
        const { removeImage } = await import('./service-enclave.ts')
        process.exitCode = await removeImage(pcr0, options)
      }),
    'sotto service-enclave remove 8b1c…',
  )

  return enclave
}
