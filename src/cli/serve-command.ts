import { Command } from 'commander'
import { addExamples } from './help.ts'
import type { ServeOptions } from './serve.ts'

/** `sotto serve`: the proxy and the window, for a browser. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .summary('Run Sotto for a browser and for local tools')
    .description(
      'Run the local API and serve the window to a browser on this computer. "sotto" without a command does the same.',
    )
    .argument('[command...]')
    .usage('[options]')
    .option('--open', 'Open a browser', false)
    .option('--no-open', 'Don’t open a browser')
    .option('--json', 'Print one line of JSON when ready', false)
    .option(
      '--bind <address:port>',
      'Also serve programs at this address, with TLS and API keys. You confirm this once in the terminal',
    )
    .option('--tls-cert <file>', 'Certificate for --bind, in PEM format (default: Sotto creates one)')
    .option('--tls-key <file>', 'Private key of the certificate, in PEM format')
    .option(
      '--allow-host <name>',
      'Additional host name for Sotto, such as box.example. Can be repeated',
      append,
    )
    .option(
      '--allow-origin <origin>',
      'Origin of a web page that may use Sotto with its own key. Can be repeated',
      append,
    )
    .option(
      '--insecure-plaintext-in-container',
      'Serve --bind without TLS. Only in the container image, behind a proxy that ends TLS',
    )
    .option(
      '--log-level <level>',
      'silent, error, warn, info, or debug. Prompts and replies are never logged (default: silent)',
    )
    .option('--log-to <target>', 'file (in the data folder) or stderr (default: file)')
    .action(async ([unknown]: string[], options: ServeOptions) => {
      // As the default command it also receives what is not the name of any other.
      if (unknown !== undefined)
        (command.parent ?? command).error(`error: unknown command '${unknown}'`, {
          code: 'commander.unknownCommand',
        })
      const { serve } = await import('./serve.ts')
      await serve(options)
    })
  return addExamples(
    command,
    'sotto serve --open',
    'sotto serve --bind 192.168.1.5:8443 --allow-host box.example',
  )
}

function append(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}
