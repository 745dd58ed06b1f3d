import { Command, InvalidArgumentError, Option } from 'commander'
import { readVersion, SettingError } from '../host/index.ts'
import { SottoError } from '../shared/errors.ts'
import { accountCommand } from './account-command.ts'
import { chatsCommand } from './chats-command.ts'
import { heedClosedReaders } from './closed-readers.ts'
import { historyCommand } from './history-command.ts'
import { keysCommand } from './keys-command.ts'
import type { SandboxCommand } from './sandbox.ts'
import type { ServeOptions } from './serve.ts'
import { dataCommand } from './studio/data-command.ts'
import { embedCommand } from './studio/embed-command.ts'
import { imageCommand } from './studio/image-command.ts'
import { jobsCommand } from './studio/jobs-command.ts'
import { speakCommand } from './studio/speak-command.ts'
import { transcribeCommand } from './studio/transcribe-command.ts'
import { videoCommand } from './studio/video-command.ts'
import { walletCommand } from './wallet-command.ts'

/** The same product without a window. Each command is loaded when it is asked for. */
const program = new Command('sotto')
  .description('Private AI, proven before it is sent: a local OpenAI-compatible proxy and its window.')
  .version(await readVersion())

program
  .command('serve', { isDefault: true })
  .description('run the proxy and serve the window to a browser tab, on this machine alone')
  .option('--open', 'open a browser', false)
  .option('--no-open', 'do not open a browser')
  .option('--json', 'print one line of JSON when ready', false)
  .option('--bind <address:port>', 'answer programs at this address too, with TLS and keys; it has to be confirmed once')
  .option('--tls-cert <file>', 'the certificate for that address (PEM); one of Sotto’s own by default')
  .option('--tls-key <file>', 'its key (PEM)')
  .option('--allow-host <name>', 'a name by which Sotto may be called beside this machine’s own; may be repeated', append)
  .option('--allow-origin <origin>', 'a web page’s origin that may use Sotto with a key of its own; may be repeated', append)
  .option('--insecure-plaintext-in-container', 'no TLS at that address: in the container image alone, behind something that ends TLS')
  .option('--log-level <level>', 'silent (the default), error, warn, info or debug; what is asked and answered is never logged')
  .option('--log-to <where>', 'file (in the data folder, the default) or stderr')
  .action(async (options: ServeOptions) => {
    const { serve } = await import('./serve.ts')
    await serve(options)
  })

program
  .command('open')
  .description('show the running Sotto, or start it')
  .option('--print', 'print the address instead of opening a browser', false)
  .action(async (options: { print: boolean }) => {
    const { open } = await import('./open.ts')
    await open(options)
  })

program
  .command('lock')
  .description('lock the running Sotto: keys leave memory, running replies end (exit 0 nothing is unlocked now, 1 it could not be locked)')
  .option('--json', 'print the result as one line of JSON', false)
  .action(async (options: { json: boolean }) => {
    const { lock } = await import('./lock.ts')
    process.exitCode = await lock(options)
  })

program
  .command('verify')
  .description('judge the enclave’s evidence, live or from a saved file (exit 0 verified now, 1 refused, 2 unusable input, 3 good only at --at)')
  .argument('[file]', 'a proof file or a bundle, judged offline; without one the service is asked')
  .option('--json', 'print the verdict as JSON', false)
  .option('--save <file>', 'keep live evidence as a proof file, good or not')
  .option('--at <time>', 'judge a saved file as of this time')
  .option('--service <id>', 'the preset whose policy judges a saved file', 'ppq')
  .action(async (file: string | undefined, options: { json: boolean; save?: string; at?: string; service: string }) => {
    const { verify } = await import('./verify.ts')
    process.exitCode = await verify(file, options)
  })

program
  .command('verify-release')
  .description('judge whether a downloaded file is a release of Sotto, offline (exit 0 verified, 1 refused: do not run it, 2 unusable input)')
  .argument('<file>', 'what was downloaded')
  .option('--bundle <file>', 'its attestation; by default <file>.sigstore.json, or what "gh attestation download" wrote beside it')
  .option('--tag <tag>', 'the release that it must be, such as v1.2.0; a genuine one of another tag is refused')
  .option('--json', 'print the result as one line of JSON', false)
  .action(async (file: string, options: { bundle?: string; tag?: string; json: boolean }) => {
    const { verifyRelease } = await import('./verify-release.ts')
    process.exitCode = await verifyRelease(file, options)
  })

program
  .command('chat')
  .description('chat in the terminal; Ctrl-C stops the answer and its cost')
  .argument('[prompt...]', 'one question; without it a conversation, or standard input')
  .option('-m, --model <id>', 'a model of the listing; a private one by default')
  .action(async (prompt: string[], options: { model?: string }) => {
    const { chat } = await import('./chat.ts')
    process.exitCode = await chat({ ...options, ...(prompt.length > 0 && { prompt: prompt.join(' ') }) })
  })

program.addCommand(imageCommand())
program.addCommand(videoCommand())
program.addCommand(speakCommand())
program.addCommand(transcribeCommand())
program.addCommand(embedCommand())
program.addCommand(dataCommand())
program.addCommand(jobsCommand())
program.addCommand(accountCommand())
program.addCommand(keysCommand())
program.addCommand(historyCommand())
program.addCommand(chatsCommand())
program.addCommand(walletCommand())

program
  .command('drill')
  .description('play every attack of a sandbox of its own against this Sotto (exit 0 all refused as they must be, 1 otherwise)')
  .option('--json', 'print the results as one line of JSON', false)
  .action(async (options: { json: boolean }) => {
    const { drill } = await import('./drill.ts')
    process.exitCode = await drill(options)
  })

program
  .command('sandbox')
  .description('run the pretended service alone, with play money, its description at /openapi.html and switches for its faults')
  .option('--port <port>', 'any free port by default', toPort, 0)
  .addOption(new Option('--revision <revision>', 'which variant of the interface is served').choices(['A', 'B']).default('B'))
  .option('--data <folder>', 'keep accounts and records there; without it they are gone when it stops')
  .option('--seed <text>', 'make identifiers and keys repeatable')
  .addOption(new Option('--lightning <nodes>', 'who makes and pays invoices: pretended nodes, or two real ones on a chain of their own (for development)').choices(['pretended', 'ldk']).default('pretended'))
  .option('--json', 'print one line of JSON when ready', false)
  .action(async (options: SandboxCommand) => {
    const { sandbox } = await import('./sandbox.ts')
    await sandbox(options)
  })

function append(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value]
}

function toPort(text: string): number {
  const port = Number(text)
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new InvalidArgumentError('A port is a number from 0 to 65535.')
  return port
}

heedClosedReaders()
try {
  await program.parseAsync()
} catch (thrown) {
  if (!(thrown instanceof SottoError) && !(thrown instanceof SettingError)) throw thrown
  process.stderr.write(`${thrown.message}${thrown instanceof SottoError ? ` (${thrown.code})` : ''}\n`)
  process.exitCode = 1
}
