import { formatBytes } from '../../shared/byte-size.ts'
import { type CostBounds, costShape, formatRecordedUsd, formatSats } from '../../shared/format-money.ts'
import type { Job, JobEstimate, JobFile, RowCounts } from '../../shared/job.ts'
import { counted, formatMinute, oneLine } from '../format.ts'
import { batchStateNames, jobStateNames, unknownCostReasons } from '../labels.ts'

/** The status of a job, with its progress. */
export function stateWords({
  kind,
  state,
  parts,
  rows,
  onItsWay,
}: Pick<Job, 'kind' | 'state' | 'parts' | 'rows' | 'onItsWay'>): string {
  const several = parts && parts.of > 1 ? `${String(parts.done)} of ${String(parts.of)} parts` : ''
  if (onItsWay && onItsWay.sent < onItsWay.of)
    return `Sending: ${formatBytes(onItsWay.sent)} of ${formatBytes(onItsWay.of)} sent${several === '' ? '' : `, ${several} done`}`
  const name = (kind === 'batch' ? batchStateNames : jobStateNames)[state]
  if (rows && parts) return `${name}: ${rowWords(rows, parts.of)}`
  return several === '' ? name : `${name}: ${several}`
}

function rowWords({ done, failed, unknown }: RowCounts, of: number): string {
  const finished = `${done.toLocaleString('en-US')} of ${of === 1 ? 'one row' : counted(of, 'row', 'rows')} done`
  return [
    finished,
    ...(failed > 0 ? [`${failed.toLocaleString('en-US')} failed`] : []),
    ...(unknown > 0 ? [`${unknown.toLocaleString('en-US')} unknown`] : []),
  ].join(', ')
}

/** The estimated cost of a job, as sentences. */
export function estimateWords({ cost, unknown, counted: size }: JobEstimate): string {
  const reasons = unknown.map((reason) => unknownCostReasons[reason])
  const price = cost
    ? [`Costs ${rangeWords(cost)}.`, ...reasons]
    : reasons.length > 0
      ? reasons
      : [unknownCostReasons.price]
  if (!size) return price.join(' ')
  const unusable = size.unusable > 0 ? ` ${size.unusable.toLocaleString('en-US')} can’t be sent.` : ''
  return `${price.join(' ')} Total: ${size.of.toLocaleString('en-US')}, in ${counted(size.requests, 'request', 'requests')}.${unusable}`
}

/** "$0.02", "up to $0.05", "$0.02 – $0.05" or, with an expected cost, "$0.02 (up to $0.05)". */
export function rangeWords(bounds: CostBounds): string {
  const cost = costShape(bounds)
  switch (cost.shape) {
    case 'one':
      return cost.cost
    case 'expected':
      return `${cost.cost} (up to ${cost.most})`
    case 'bound':
      return `up to ${cost.most}`
    case 'range':
      return cost.range
  }
}

/** The cost of a job, or of as much of it as was paid. */
export function costWords({ cost, paidMsat }: Pick<Job, 'cost' | 'paidMsat'>): string {
  if (paidMsat !== undefined) return `Cost ${formatSats(paidMsat)}`
  return cost === undefined ? 'Cost unknown' : `Cost ${formatRecordedUsd(cost)}`
}

/** Number, name, pixels if known, and size of a file. The caller makes the name safe to print. */
export function fileWords({ index, name, width, height, bytes }: JobFile): string {
  return `${String(index)} ${name}${width === undefined || height === undefined ? '' : ` ${String(width)}×${String(height)}`} (${formatBytes(bytes)})`
}

/** The files of a job to save: its results, otherwise the response. */
export function savedFiles({ files }: Pick<Job, 'files'>): JobFile[] {
  const results = files.filter(({ role }) => role === 'made')
  if (results.length > 0) return results
  const parts = files.filter(({ role }) => role === 'part')
  return parts.length > 0 ? parts : files.filter(({ role }) => role === 'answer')
}

/** Formats a job in a single line, whatever the service's names contain. */
export function jobLine(job: Job): string {
  const { id, at, kind, state } = job
  const about = [kind, aboutOf(job)].filter((text) => text !== '').join(' ')
  const what = [costWords(job), ...savedFiles(job).map(fileWords)]
  return oneLine(
    `${id}  ${formatMinute(at)}  ${about}: ${state === 'done' ? what.join('; ') : `${stateWords(job)}${job.failure ? ` (${job.failure.code})` : ''}; ${what.join('; ')}`}`,
  )
}

const LONGEST = 60

function aboutOf({ ask, title }: Job): string {
  if (title !== undefined) return `“${title}”`
  const subject =
    ask.kind === 'data' || ask.kind === 'batch'
      ? ask.path
      : ask.kind === 'speech'
        ? ask.text
        : ask.kind === 'transcription' || ask.kind === 'embedding'
          ? (ask.model ?? '')
          : (ask.prompt ?? ask.model)
  const short = shortened(subject, LONGEST)
  return subject === '' ? '' : `“${short}${short === subject ? '' : '…'}”`
}

/** Cuts a text between characters as a reader sees them. */
export function shortened(text: string, most: number): string {
  let end = 0
  let count = 0
  // None of them is longer than this, on the whole.
  for (const { index, segment } of new Intl.Segmenter().segment(text.slice(0, most * 8))) {
    if (++count > most) return text.slice(0, end)
    end = index + segment.length
  }
  return text.slice(0, end)
}
