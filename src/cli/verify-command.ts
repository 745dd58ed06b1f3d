import { Command } from 'commander'
import { addExamples } from './help.ts'

/** `sotto verify`: the evidence of the enclave. */
export function verifyCommand(): Command {
  const command = new Command('verify')
    .summary('Verify the enclave’s evidence, live or from a file')
    .description(
      'Verify the enclave’s evidence, live or from a saved file. A saved file is verified offline.',
    )
    .argument(
      '[file]',
      'Proof file, or evidence as the service sent it. Without it, Sotto requests live evidence',
    )
    .option('--json', 'Print the result as JSON', false)
    .option('--save <file>', 'Save live evidence as a proof file, valid or not')
    .option('--at <time>', 'Verify a saved file as of this time, such as 2026-02-01 or 2026-02-01T12:00:00Z')
    .option('--service <id>', 'Service whose policy applies to a saved file', 'ppq')
    .addHelpText(
      'after',
      '\nExit codes:\n  0  Verified\n  1  Not verified\n  2  The input can’t be used\n  3  Valid at the time of --at, but not now',
    )
    .action(
      async (
        file: string | undefined,
        options: { json: boolean; save?: string; at?: string; service: string },
      ) => {
        const { verify } = await import('./verify.ts')
        process.exitCode = await verify(file, options)
      },
    )
  return addExamples(command, 'sotto verify --save proof.json', 'sotto verify proof.json --at 2026-02-01')
}

/** `sotto verify-release`: a downloaded file of Sotto. */
export function verifyReleaseCommand(): Command {
  const command = new Command('verify-release')
    .summary('Verify a downloaded release of Sotto')
    .description('Verify offline that a downloaded file is a release of Sotto.')
    .argument('<file>', 'The downloaded file')
    .option(
      '--bundle <file>',
      'Attestation of the file (default: <file>.sigstore.json, or the output of "gh attestation download" in the same folder)',
    )
    .option('--tag <tag>', 'Required release, such as v1.2.0. A genuine file of another release is refused')
    .option('--json', 'Print the result as one line of JSON', false)
    .addHelpText(
      'after',
      '\nExit codes:\n  0  Verified\n  1  Not verified: don’t run the file\n  2  The input can’t be used',
    )
    .action(async (file: string, options: { bundle?: string; tag?: string; json: boolean }) => {
      const { verifyRelease } = await import('./verify-release.ts')
      process.exitCode = await verifyRelease(file, options)
    })
  return addExamples(command, 'sotto verify-release sotto-1.2.0.tgz --tag v1.2.0')
}
