import { randomUUID } from 'node:crypto'
import { stat, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { readSettings } from '../host/settings.ts'
import { beginsLike, documentTypeOf, MAX_DOCUMENT_BYTES } from '../shared/convertible-document.ts'
import { formatRecordedUsd, formatUsd } from '../shared/format-money.ts'
import { decimalUsd, parseUsd } from '../shared/money.ts'
import type { Status } from '../shared/status.ts'
import { CommandFailure, type ContractClient } from './client.ts'
import { exits } from './exit-codes.ts'
import { terminalSafe } from './format.ts'
import { readInput } from './input-file.ts'
import { jsonLine } from './json-output.ts'
import { stoppable } from './stoppable.ts'
import { failure, withClient } from './with-client.ts'
import { agreedHere } from './studio/pay-job.ts'
import { unusable } from './studio/at-studio.ts'

interface ConvertOptions {
  readonly out?: string
  readonly yes: boolean
  readonly json: boolean
}

/** `sotto convert`: prints or saves the Markdown of a document. Returns the exit code. Ctrl-C stops it. */
export async function convert(file: string, options: ConvertOptions): Promise<number> {
  const code = await stoppable(options.json, async (signal) => {
    const content = await readDocument(file)
    await requireNew(options.out)
    return withClient(await readSettings(), (client) => run(client, file, content, options, signal))
  })
  if (code === exits.interrupted) process.stderr.write('Stopped.\n')
  return code
}

async function run(
  client: ContractClient,
  file: string,
  content: Uint8Array<ArrayBuffer>,
  { out, yes, json }: ConvertOptions,
  signal: AbortSignal,
): Promise<number> {
  const { service } = await client.app.status(undefined, { signal })
  if (!service.documentConversion) throw new CommandFailure(failure('document/not-offered'))
  const fee = feeOf(service.documentConversion)
  process.stderr.write(`${fee} Only the verified enclave can read the document.\n`)
  if (!yes && !(await agreedHere('Convert the document?', signal))) {
    signal.throwIfAborted()
    throw new CommandFailure(failure('document/fee-not-accepted'))
  }
  const { text, receiptId, cost } = await client.documents.convert(
    { id: randomUUID(), name: basename(file), content: new Blob([content]), acceptsFee: true },
    { signal },
  )
  if (out !== undefined) await save(out, text)
  if (json)
    process.stdout.write(
      `${jsonLine({ ...(out === undefined ? { text } : { file: out }), receiptId, ...(cost !== undefined && { costUsd: decimalUsd(BigInt(cost)) }) })}\n`,
    )
  else if (out === undefined)
    process.stdout.write(`${(process.stdout.isTTY ? terminalSafe(text) : text).trimEnd()}\n`)
  process.stderr.write(
    cost === undefined
      ? `The service didn’t report the cost. Receipt ${receiptId}\n`
      : `Cost: ${formatRecordedUsd(cost)}. Receipt ${receiptId}\n`,
  )
  return 0
}

function feeOf({ priceUsd }: NonNullable<Status['service']['documentConversion']>): string {
  const price = priceUsd === undefined ? null : parseUsd(priceUsd)
  return price === null
    ? 'The service charges a fee for each conversion, and doesn’t publish it.'
    : `Each conversion costs ${formatUsd(price.toString())}.`
}

/** Refuses an unusable file before Sotto is started for it. */
async function readDocument(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const tooLarge = new CommandFailure(failure('document/too-large'))
  const content = await readInput(path, MAX_DOCUMENT_BYTES, tooLarge)
  const type = documentTypeOf(path)
  if (type === undefined || !beginsLike(type, content.subarray(0, 1024)))
    throw new CommandFailure(failure('document/kind'))
  return content
}

async function requireNew(out: string | undefined): Promise<void> {
  if (out !== undefined && (await stat(out).catch(() => null)))
    throw unusable(`The file “${out}” already exists.`, 'Name another file.')
}

/** A paid result isn't lost if it can't be saved: running the command again costs nothing while Sotto runs. */
async function save(out: string, text: string): Promise<void> {
  try {
    await writeFile(out, text, { flag: 'wx' })
  } catch {
    throw new CommandFailure({
      code: 'store/unwritable',
      says: `Couldn’t save the result as ${out}.`,
      remedy: 'Name another file. While Sotto runs, converting the same document again costs nothing.',
    })
  }
}
