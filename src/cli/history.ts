import {
  joinedSums,
  linesOf,
  receiptDifference,
  type HistoryFilter,
  type HistoryLine,
  type HistoryRecord,
  type MissingReceipt,
  type SpendingGroup,
} from '../shared/history.ts'
import { formatTokens } from '../shared/format-count.ts'
import { formatRecordedUsd } from '../shared/format-money.ts'
import { decimalUsd } from '../shared/money.ts'
import { msg } from '../shared/localized-text.ts'
import { counted, formatSecond, oneLine, write } from './format.ts'
import { exitOfFailure, exits } from './exit-codes.ts'
import { failureOf, type ContractClient } from './client.ts'
import type { HistoryOptions } from './history-command.ts'
import { jsonLine, jsonListEnd, jsonListStart } from './json-output.ts'
import { privacyNames } from './labels.ts'
import { withStoppableClient } from './stoppable.ts'
import { failure, printFailure } from './with-client.ts'

const PAGE = 100

/** `sotto history`. Returns the exit code. Ctrl-C stops it. */
export function history(options: HistoryOptions): Promise<number> {
  return withStoppableClient(options.json, (client, signal) => run(client, options, signal))
}

async function run(client: ContractClient, options: HistoryOptions, signal: AbortSignal): Promise<number> {
  const keyId = options.key === undefined ? undefined : await keyNamed(client, options.key, signal)
  if (keyId === null) {
    printFailure(
      failure('service/not-found', msg('The account has no API key with this name.')),
      options.json,
    )
    return exits.refused
  }
  const { from, until, model, source, type } = options
  const filter: HistoryFilter = {
    ...(from && { from }),
    ...(until && { until }),
    ...(model && { model }),
    ...(source && { source }),
    ...(type && { type }),
    ...(keyId && { keyId }),
  }
  if (options.summary !== undefined) await printSummary(client, filter, options.summary, options.json, signal)
  else if (options.csv) await printCsv(client, filter, signal)
  else {
    const pages = pagesOf(client, filter, options.limit, signal)
    return options.json ? printJson(pages, signal) : printRecords(pages)
  }
  return exits.done
}

/** Finds the ID of an API key by its name. Without a credit ID the names are unknown, so the name is used as the ID. */
async function keyNamed(
  { serviceKeys, accounts }: ContractClient,
  name: string,
  signal: AbortSignal,
): Promise<string | null> {
  const active = (await accounts.list(undefined, { signal })).find((account) => account.active)
  if (active?.creditIdMasked === undefined) return name
  const { keys } = await serviceKeys.list({ includeRevoked: true }, { signal })
  // A name may be reused after its key was revoked.
  const found =
    keys.find(({ id }) => id === name) ??
    keys.find((key) => key.name === name && typeof key.revokedAt !== 'number') ??
    keys.find((key) => key.name === name)
  return found?.id ?? null
}

interface Page {
  readonly shown: readonly HistoryRecord[]
  readonly without: readonly MissingReceipt[]
  /** The service's count; null if it doesn't count the requested records. */
  readonly total: number | null
  readonly unreadable: number
  readonly uncompared: number | null
}

async function* pagesOf(
  { history: area }: ContractClient,
  filter: HistoryFilter,
  limit: number,
  signal: AbortSignal,
): AsyncGenerator<Page> {
  let [count, cursor]: [number, string | undefined] = [0, undefined]
  do {
    const page = await area.page(
      { filter, limit: Math.min(PAGE, limit - count), ...(cursor !== undefined && { cursor }) },
      { signal },
    )
    const shown = page.records.slice(0, limit - count)
    const end = shown.length < page.records.length ? (shown.at(-1)?.at ?? Infinity) : -Infinity
    yield { ...page, shown, without: page.missing.filter(({ at }) => at >= end) }
    count += shown.length
    cursor = page.next ?? undefined
  } while (cursor !== undefined && count < limit)
}

async function printRecords(pages: AsyncIterable<Page>): Promise<number> {
  const records: HistoryRecord[] = []
  const missing: MissingReceipt[] = []
  let unreadable = 0
  let uncompared: number | null = 0
  let total: number | null = null
  for await (const page of pages) {
    for (const line of linesOf(page.shown, page.without))
      await write(`${'record' in line ? lineOf(line.record) : missingLine(line.missing)}\n`)
    records.push(...page.shown)
    missing.push(...page.without)
    uncompared = uncompared === null || page.uncompared === null ? null : uncompared + page.uncompared
    total = page.total
    unreadable += page.unreadable
  }
  process.stderr.write(
    `${String(records.length)}${total === null ? '' : ` of ${String(Math.max(total, records.length))}`} shown${unreadable > 0 ? `. ${String(unreadable)} couldn’t be read` : ''}.\n`,
  )
  for (const sentence of sumSentences(records, missing, uncompared)) process.stderr.write(`${sentence}\n`)
  return exits.done
}

/** A failure after the first page ends the list, so that the printed text is one answer in JSON. */
async function printJson(pages: AsyncIterable<Page>, signal: AbortSignal): Promise<number> {
  let separator: string | undefined
  try {
    for await (const { shown, without } of pages) {
      if (separator === undefined) await write(jsonListStart)
      separator ??= ''
      for (const line of linesOf(shown, without)) {
        await write(`${separator}\n${JSON.stringify(exact(line))}`)
        separator = ','
      }
    }
  } catch (thrown) {
    const failed = signal.aborted ? failure('request/canceled') : failureOf(thrown)
    if (separator === undefined || !failed) throw thrown
    await write(jsonListEnd(failed))
    return signal.aborted ? exits.interrupted : exitOfFailure(failed)
  }
  await write(jsonListEnd())
  return exits.done
}

/** Totals of the printed requests by records and by receipts, and their difference. */
function sumSentences(
  records: readonly HistoryRecord[],
  missing: readonly MissingReceipt[],
  uncompared: number | null,
): string[] {
  const {
    compared,
    byService,
    byReceipts,
    differing,
    missing: count,
    missingCost,
  } = joinedSums(records, missing)
  const difference = byService - byReceipts
  const amount = (picoUsd: bigint): string => formatRecordedUsd(picoUsd.toString())
  const charged =
    difference === 0n
      ? ''
      : `: the service charged ${difference > 0n ? `${amount(difference)} more` : `${amount(-difference)} less`}`
  return [
    ...(compared > 0
      ? [
          `${counted(compared, 'request', 'requests')} with a receipt: ${amount(byService)} by the service, ${amount(byReceipts)} by ${compared === 1 ? 'the receipt' : 'receipts'}.`,
        ]
      : []),
    ...(differing > 0
      ? [
          `${counted(differing, 'cost differs from its receipt', 'costs differ from their receipts')}${charged}.`,
        ]
      : []),
    ...(count > 0
      ? [
          `${counted(count, 'request', 'requests')} with a receipt ${count === 1 ? 'isn’t' : 'aren’t'} in the service’s history: ${amount(missingCost)}.`,
        ]
      : []),
    ...(uncompared === null ? ['Receipts without a record aren’t listed for this selection.'] : []),
    ...(uncompared !== null && uncompared > 0
      ? [`${counted(uncompared, 'more receipt', 'more receipts')} can’t be matched to exactly one request.`]
      : []),
  ]
}

async function printSummary(
  { history: area }: ContractClient,
  filter: HistoryFilter,
  by: NonNullable<HistoryOptions['summary']>,
  json: boolean,
  signal: AbortSignal,
): Promise<void> {
  let last
  for await (const summary of await area.summary({ filter }, { signal })) last = summary
  if (!last) return
  const { groups, total, read, unreadable } = last
  if (json)
    return write(
      `${jsonLine({ by, groups: groups[by].map(exactGroup), total: exactGroup(total), read, unreadable })}\n`,
    )
  const named = [
    ...groups[by].map((group) => ({ name: nameOf(group), group })),
    { name: 'Total', group: total },
  ]
  const width = Math.min(60, Math.max(...named.map(({ name }) => name.length)))
  for (const { name, group } of named) await write(`${name.padEnd(width)}  ${sumLine(group)}\n`)
  if (unreadable > 0)
    process.stderr.write(`${String(unreadable)} couldn’t be read and aren’t included in the totals.\n`)
}

async function printCsv(
  { history: area }: ContractClient,
  filter: HistoryFilter,
  signal: AbortSignal,
): Promise<void> {
  for await (const event of await area.export({ filter, format: 'csv' }, { signal })) {
    if (event.type === 'text') await write(event.text)
    else if (event.type === 'ended' && event.unreadable > 0)
      process.stderr.write(`${String(event.unreadable)} couldn’t be read.\n`)
  }
}

/**
 * Converts dollars to exact decimal text. `inHistory` is false for a receipt that the service has no record
 * of.
 */
function exact(line: HistoryLine): object {
  const { cost, receipt, ...rest } = 'record' in line ? line.record : { cost: undefined, ...line.missing }
  const { cost: receiptCost, ...named } = receipt ?? {}
  return {
    ...rest,
    at: new Date(rest.at).toISOString(),
    ...(cost !== undefined && { costUsd: decimalUsd(BigInt(cost)) }),
    ...(receipt && {
      receipt: { ...named, ...(receiptCost !== undefined && { costUsd: decimalUsd(BigInt(receiptCost)) }) },
    }),
    inHistory: 'record' in line,
  }
}

function exactGroup({ cost, ...group }: SpendingGroup): object {
  return { ...group, costUsd: decimalUsd(BigInt(cost)) }
}

function nameOf({ label, rest }: SpendingGroup): string {
  return rest === true ? 'All others' : label === '' ? 'Unknown' : oneLine(label)
}

function sumLine({ cost, requests, unpriced, inputTokens, outputTokens }: SpendingGroup): string {
  return `${formatRecordedUsd(cost)}; ${counted(requests, 'request', 'requests')}${unpriced > 0 ? `, ${String(unpriced)} with unknown cost` : ''}; ${tokenWords(inputTokens, outputTokens)}`
}

function tokenWords(input: number, output: number): string {
  return `${formatTokens(input)} ${input === 1 ? 'token' : 'tokens'} in, ${formatTokens(output)} out`
}

function lineOf(record: HistoryRecord): string {
  const {
    at,
    model,
    inputTokens,
    outputTokens,
    cost,
    type,
    source,
    keyName,
    keyId,
    online,
    freeModel,
    errorCode,
    receipt,
  } = record
  const parts = [
    cost === undefined ? 'cost unknown' : formatRecordedUsd(cost),
    ...(inputTokens !== undefined && outputTokens !== undefined
      ? [tokenWords(inputTokens, outputTokens)]
      : []),
    ...(type === undefined ? [] : [type]),
    ...(source === undefined ? [] : [`from ${source}`]),
    ...((keyName ?? keyId) === undefined ? [] : [`key: ${keyName ?? keyId ?? ''}`]),
    ...(online === true ? ['web search'] : []),
    ...(freeModel === true ? ['free model'] : []),
    ...(errorCode === undefined ? [] : [errorCode]),
    receipt ? privacyNames[receipt.privacy] : 'no receipt on this computer',
    ...(receipt?.confirmed ? ['receipt confirmed'] : []),
    ...(receipt?.cost !== undefined && receiptDifference(record) !== undefined
      ? [`receipt: ${formatRecordedUsd(receipt.cost)}`]
      : []),
  ]
  return oneLine(`${formatSecond(at)}  ${model}: ${parts.join('; ')}`)
}

function missingLine({
  at,
  model,
  inputTokens,
  outputTokens,
  keyName,
  keyId,
  receipt,
}: MissingReceipt): string {
  const parts = [
    `receipt: ${formatRecordedUsd(receipt.cost)}`,
    ...(inputTokens !== undefined && outputTokens !== undefined
      ? [tokenWords(inputTokens, outputTokens)]
      : []),
    ...((keyName ?? keyId) === undefined ? [] : [`key: ${keyName ?? keyId ?? ''}`]),
    privacyNames[receipt.privacy],
    'not in the service’s history',
  ]
  return oneLine(`${formatSecond(at)}  ${model}: ${parts.join('; ')}`)
}
