import { z } from 'zod'
import { createUiServer } from '../host/ui-server.ts'
import { DataFolder } from '../host/data-folder.ts'
import { logFailure } from '../host/log/log-failure.ts'
import { readSettings, type SettingFlags, type Settings } from '../host/settings.ts'
import { serveOwnerSocket, ownerFetch } from '../host/owner-socket.ts'
import { startHost, type Host } from '../host/host.ts'
import { SottoError } from '../shared/errors.ts'
import { bootstrap } from './bootstrap.ts'
import { clientOf, failureOf } from './client.ts'
import { exitOfFailure } from './exit-codes.ts'
import { jsonLine } from './json-output.ts'
import { openInBrowser, removeRedirects, writeRedirect } from './open-browser.ts'
import { unlockVaultAtTerminal } from './passphrase.ts'
import { printChangedRecords, reportRestricted } from './print-notices.ts'
import { createQuestionTerminal } from './question-terminal.ts'
import { untilStopped } from './stoppable.ts'
import { createTerminalConfirm } from './terminal-confirm.ts'

export interface ServeOptions extends SettingFlags {
  /** Open a browser. */
  readonly open: boolean
  /** Prints a single line of JSON to stdout when ready, and nothing else. */
  readonly json: boolean
}

/** `sotto serve`: runs core, proxy and window on loopback until it is stopped. */
export async function serve({ open, json, ...flags }: ServeOptions): Promise<void> {
  await serveWith(await readStart(flags), { open, json })
}

interface Start {
  readonly settings: Settings
  /** For the bootstrap, with the name of the passphrase's file. */
  readonly environment: NodeJS.ProcessEnv
}

/** Called once for each process, because reading the settings deletes the variables of the passphrase. */
async function readStart(flags?: SettingFlags): Promise<Start> {
  const { SOTTO_PASSPHRASE: _, ...environment } = process.env
  return { settings: await readSettings(process.env, flags), environment }
}

async function serveWith(
  { settings, environment }: Start,
  { open, json }: Pick<ServeOptions, 'open' | 'json'>,
): Promise<void> {
  const logsToStderr = settings.log?.to === 'stderr'
  const print = createPrinter(logsToStderr, json)
  try {
    await bootstrap(environment)
    await serveUntilStopped(settings, { open, json }, print)
  } catch (thrown) {
    if (!logsToStderr || !(thrown instanceof SottoError)) throw thrown
    await logFailure(settings, thrown.code)
    if (json) process.stdout.write(`${jsonLine(null, failureOf(thrown) ?? undefined)}\n`)
    else print(`${thrown.message} (${thrown.code})`)
    process.exitCode = exitOfFailure(thrown)
  }
}

/**
 * Standard error is for people, unless it carries the log: then it has only lines of JSON, and sentences go to standard
 * output. If that one is JSON too, the log has the events.
 */
function createPrinter(logsToStderr: boolean, json: boolean): (line: string) => void {
  if (logsToStderr && json) return () => undefined
  const stream = logsToStderr ? process.stdout : process.stderr
  return (line) => void stream.write(`${line}\n`)
}

async function serveUntilStopped(
  settings: Settings,
  { open, json }: Pick<ServeOptions, 'open' | 'json'>,
  printLine: (line: string) => void,
): Promise<void> {
  const folder = await DataFolder.check(settings.dataDir)
  reportRestricted(folder, printLine)
  await using host = await startHost({
    settings,
    folder,
    confirm: createTerminalConfirm(createQuestionTerminal({ logsToStderr: settings.log?.to === 'stderr' })),
    onRemoteAccess: ({ baseUrl, fingerprint }) =>
      printLine(
        fingerprint === null
          ? `Also at ${baseUrl} WITHOUT TLS: anyone on the network path can read keys, prompts, and replies.`
          : `Also at ${baseUrl} with the certificate of SHA-256 ${fingerprint}`,
      ),
  })
  await using uiServer = await createUiServer(host, settings.uiPort)
  await removeRedirects(settings.dataDir)
  await using _socket = await serveOwnerSocket(settings.dataDir, host, {
    open: async () => {
      const address = uiServer.newAddress()
      return { address, redirect: await writeRedirect(address, settings.dataDir) }
    },
  })
  const stop = new AbortController()
  const stopped = untilStopped().then(() => stop.abort())

  if (!json) await unlockVaultAtTerminal(clientOf(host), printLine, stop.signal)
  if (!stop.signal.aborted) {
    printChangedRecords(await host.notices(), printLine)
    const ui = uiServer.newAddress()
    await announceReady(host, ui, json)
    host.prepare()
    // Not awaited, because it can take a few seconds.
    if (open)
      void openInBrowser(await writeRedirect(ui, settings.dataDir)).then(
        (opened) => opened || printLine('Couldn’t start a browser. Open the address above.'),
      )
  }

  await stopped
  await removeRedirects(settings.dataDir)
}

/** A separate function, so that the key isn't in a variable of `serve` for as long as it runs. */
async function announceReady(host: Host, ui: string, json: boolean): Promise<void> {
  const [baseUrl, key] = await Promise.all([host.proxyBaseUrl(), host.localKey()])
  if (json)
    process.stdout.write(
      `${jsonLine({ event: 'ready', ui, proxy: { baseUrl, key }, service: host.service() })}\n`,
    )
  else announce({ ui, baseUrl, key, service: host.service() })
}

/** Shows the key only in a terminal, so that it doesn't end up in a log. */
function announce({
  ui,
  baseUrl,
  key,
  service,
}: {
  ui: string
  baseUrl: string
  key: string | null
  service: string
}): void {
  const shown =
    key === null
      ? 'locked (unlock Sotto in the window)'
      : process.stdout.isTTY
        ? key
        : 'shown only in a terminal, in the window, and with --json'
  process.stdout.write(`
  Sotto is ready${service === 'sandbox' ? ' in demo mode: simulated models, no real money' : ''}.

  Window     ${ui}
             (valid once, for 5 minutes; for a new address, run: sotto open)
  Local API  ${baseUrl}
  Local key  ${shown}

  To quit Sotto, press Ctrl-C.
`)
}

const answerSchema = z.object({ address: z.url(), redirect: z.string().min(1) }).nullable()

/** `sotto open`: opens the running Sotto with a fresh address, and starts Sotto if none runs. */
export async function open({ print }: { print: boolean }): Promise<void> {
  const start = await readStart()
  let response: Response
  try {
    response = await ownerFetch(start.settings.dataDir)(
      new Request('http://sotto.invalid/open', { method: 'POST' }),
    )
  } catch (thrown) {
    if (!(thrown instanceof SottoError) || thrown.code !== 'host/already-running') throw thrown
    return serveWith(start, { open: !print, json: false })
  }
  const answer = answerSchema.parse(await response.json())
  // null: an existing window came to the front.
  if (answer === null) return
  if (print || !(await openInBrowser(answer.redirect))) process.stdout.write(`${answer.address}\n`)
}
