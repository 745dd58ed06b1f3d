import { Command } from 'commander'
import { addExamples } from './help.ts'

/** `sotto convert`: converts a document to Markdown inside the verified enclave. */
export function convertCommand(): Command {
  const command = new Command('convert')
    .summary('Convert a document to Markdown in the enclave')
    .description(
      'Convert a document to Markdown. It’s sealed to the verified enclave, and each conversion costs a fee.',
    )
    .argument('<file>', 'PDF, DOCX, PPTX, XLSX, or HTML file, at most 25 MB')
    .option('--out <file>', 'Save the Markdown to a new file. Without it, it’s printed')
    .option('--yes', 'Accept the fee without asking', false)
    .option('--json', 'Print the result as one line of JSON', false)
    .addHelpText(
      'after',
      '\nExit codes:\n  0    Done\n  1    Refused or failed. The error code gives the reason\n  2    The input can’t be used, or the fee was not accepted. Nothing was sent\n  130  Stopped with Ctrl-C. The service can still charge the fee',
    )
    .action(async (file: string, options: { out?: string; yes: boolean; json: boolean }) => {
      const { convert } = await import('./convert.ts')
      process.exitCode = await convert(file, options)
    })
  return addExamples(command, 'sotto convert report.docx', 'sotto convert scan.pdf --out scan.md --yes')
}
