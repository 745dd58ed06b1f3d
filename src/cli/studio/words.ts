import type { Job, JobEstimate, JobFile, JobState } from '../../shared/job.ts'
import { costShape, formatSats, formatUsd, type CostBounds } from '../../shared/format-money.ts'
import { terminalSafe } from '../chat.ts'

const MB = 1_000_000

/** "12.5 MB", as the limits of the service are said. */
export function megabytes(bytes: number): string {
  if (bytes < 1000) return `${String(bytes)} B`
  return bytes < MB ? `${(bytes / 1000).toFixed(1)} kB` : `${(bytes / MB).toFixed(1)} MB`
}

/** ms as "1:05" or "1:00:05". */
export function elapsed(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  const rest = String(seconds % 60).padStart(2, '0')
  return hours > 0 ? `${String(hours)}:${String(minutes).padStart(2, '0')}:${rest}` : `${String(minutes)}:${rest}`
}

const doing: Readonly<Record<JobState, string>> = {
  ready: 'ready, and not sent', paying: 'paying over Lightning', sending: 'sent, waiting for the answer', working: 'the service is making it', saving: 'fetching what was made',
  paused: 'paused', done: 'done', failed: 'failed', stopped: 'stopped', unknown: 'its end is unknown', lost: 'what was made is gone',
}

/** How far a job is. */
export function stateWords({ state, parts, rows, onItsWay }: Pick<Job, 'state' | 'parts' | 'rows' | 'onItsWay'>): string {
  if (onItsWay && onItsWay.sent < onItsWay.of) return `on its way: ${megabytes(onItsWay.sent)} of ${megabytes(onItsWay.of)} sent${parts && parts.of > 1 ? `; ${String(parts.done)} of ${String(parts.of)} parts done` : ''}`
  if (rows && parts) {
    const ended = rows.done + rows.failed + rows.unknown
    const wrong = [...(rows.failed > 0 ? [`${String(rows.failed)} failed`] : []), ...(rows.unknown > 0 ? [`${String(rows.unknown)} of unknown end`] : [])]
    return `${doing[state]}: ${String(ended)} of ${String(parts.of)} rows${wrong.length > 0 ? `, ${wrong.join(', ')}` : ''}`
  }
  return parts && parts.of > 1 ? `${doing[state]}: ${String(parts.done)} of ${String(parts.of)} parts` : doing[state]
}

/** What it may cost, before it is sent. */
export function estimateWords({ cost, unknown, counted }: JobEstimate): string {
  const size = counted ? ` ${String(counted.of)} in all, in ${counted.requests === 1 ? 'one request' : `${String(counted.requests)} requests`}${counted.unusable > 0 ? `; ${String(counted.unusable)} cannot be sent` : ''}.` : ''
  if (!cost) return `What it costs is not known${unknown.includes('length') ? ', as nobody knows how long it is' : ', as no price is listed'}.${size}`
  return `It costs ${rangeWords(cost)} by the listing.${size}`
}

/** "$0.02", "up to $0.05", "$0.02 – $0.05" or, with an expected cost, "$0.02 (up to $0.05)". */
export function rangeWords(bounds: CostBounds): string {
  const cost = costShape(bounds)
  switch (cost.shape) {
    case 'one': return cost.cost
    case 'expected': return `${cost.cost} (up to ${cost.most})`
    case 'bound': return `up to ${cost.most}`
    case 'range': return cost.range
  }
}

/** What it cost. */
export function costWords({ cost, paidMsat }: Pick<Job, 'cost' | 'paidMsat'>): string {
  if (paidMsat !== undefined) return `${formatSats(paidMsat)} paid`
  return cost === undefined ? 'cost not known' : formatUsd(cost)
}

/** Its number, name, pixels where they are known, and bytes. The name is not made safe to print: the caller does that. */
export function fileWords({ index, name, width, height, bytes }: JobFile): string {
  return `${String(index)} ${name}${width === undefined || height === undefined ? '' : ` ${String(width)}×${String(height)}`} (${megabytes(bytes)})`
}

/** What of a job is worth saving: what was made, and else the answer. */
export function savedFiles({ files }: Pick<Job, 'files'>): JobFile[] {
  const made = files.filter(({ role }) => role === 'made')
  if (made.length > 0) return made
  const parts = files.filter(({ role }) => role === 'part')
  return parts.length > 0 ? parts : files.filter(({ role }) => role === 'answer')
}

/** One line, whatever the service named. */
export function jobLine(job: Job): string {
  const { id, at, kind, state } = job
  const about = [kind, aboutOf(job)].filter((text) => text !== '').join(' ')
  const what = [costWords(job), ...savedFiles(job).map(fileWords)]
  return oneLine(`${id}  ${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}  ${about}: ${state === 'done' ? what.join('; ') : `${stateWords(job)}${job.failure ? ` (${job.failure.code})` : ''}; ${what.join('; ')}`}`)
}

const LONGEST = 60

function aboutOf({ ask, title }: Job): string {
  if (title !== undefined) return `“${title}”`
  const words = ask.kind === 'data' || ask.kind === 'batch' ? ask.path : ask.kind === 'speech' ? ask.text : ask.kind === 'transcription' || ask.kind === 'embedding' ? (ask.model ?? '') : (ask.prompt ?? ask.model)
  const short = shortened(words, LONGEST)
  return words === '' ? '' : `“${short}${short === words ? '' : '…'}”`
}

/** Cut between what a reader takes for characters. */
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

/** Names are the service's word, or a file's, and may hold anything: none of them makes a line of its own. */
export function oneLine(text: string): string {
  return terminalSafe(text).replaceAll(/\s/gu, ' ')
}
