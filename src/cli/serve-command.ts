import { Command, InvalidArgumentError, Option } from 'commander'
import { addExamples } from './help.ts'
import type { ServeOptions } from './serve.ts'

interface ServeCommandOptions extends ServeOptions {
  readonly host?: string
  readonly database?: string
}

/** `sotto serve`: the proxy and the window, for a browser. */
export function serveCommand(): Command {
  const command = new Command('serve')
    .summary('Run Sotto for a browser and for local tools')
    .description(
      'Run the local API and serve the window to a browser on this computer. "sotto" without a command does the same.',
    )
    .option('--open', 'Open a browser', false)
    .option('--no-open', 'Don’t open a browser')
    .option('--json', 'Print one line of JSON when ready', false)
    .addOption(
      new Option(
        '--port <port>',
        'Port of the local API. 0 is any free port (default: 8402, or the next free port)',
      ).argParser(toPort),
    )
    .addOption(
      new Option('--ui-port <port>', 'Port of the window (default: any free port)').argParser(toPort),
    )
    .addOption(
      new Option(
        '--host <address>',
        'Also serve programs at this address, on port 8443. The same as --bind with that port',
      ).conflicts('bind'),
    )
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
    .option(
      '--database <url>',
      'Run as one of several replicas on this PostgreSQL database: only the local API. Other users can see the URL: prefer SOTTO_DATABASE_URL_FILE',
    )
    .action(async ({ host, database, ...options }: ServeCommandOptions) => {
      const flags = { ...options, ...(host !== undefined && { bind: bindOf(host) }) }
      // Without a database, nothing of the replicas is loaded.
      if (database !== undefined || process.env['SOTTO_DATABASE_URL_FILE']) {
        const { serveReplica } = await import('./serve-replica.ts')
        await serveReplica({ ...flags, database })
        return
      }
      const { serve } = await import('./serve.ts')
      await serve(flags)
    })
  return addExamples(
    command,
    'sotto serve --open',
    'sotto serve --port 9000 --ui-port 9001',
    'sotto serve --bind 192.168.1.5:8443 --allow-host box.example',
    'SOTTO_DATABASE_URL_FILE=database-url SOTTO_SERVICE=sandbox sotto serve',
  )
}

/** Parses a port. 0 is any free port. */
export function toPort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN
  if (Number.isNaN(port) || port > 65_535) throw new InvalidArgumentError('Use a number from 0 to 65535.')
  return port
}

const HOST_PORT = 8443

/** An IPv6 address needs brackets before a port. */
function bindOf(host: string): string {
  return `${host.includes(':') && !host.startsWith('[') ? `[${host}]` : host}:${String(HOST_PORT)}`
}

function append(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}
