import { formatBytes } from '../../shared/byte-size.ts'
import type { JobKind } from '../../shared/job-ask.ts'
import type { Job } from '../../shared/job.ts'
import { formatRecordedUsd } from '../../shared/format-money.ts'
import { print } from '../with-client.ts'
import { counted, formatSecond, oneLine } from '../format.ts'
import { failureLine } from '../client.ts'
import { jobJson, matchJson } from '../json-amounts.ts'
import { fileRoleNames } from '../labels.ts'
import { atStudio, unusable, type Studio } from './at-studio.ts'
import { jobNamed } from './job-named.ts'
import { finish } from './finish-job.ts'
import { savedOf, saveAll, targetOf } from './save-files.ts'
import { costWords, fileWords, jobLine, rangeWords, savedFiles, stateWords } from './labels.ts'
import type { Output } from '../json-output.ts'

type Saving = Output & { readonly out?: string; readonly force: boolean }

const PAGE = 200

/** `sotto jobs list`. Returns the exit code, as the others do. */
export function listJobs(
  terms: string,
  { kind, limit, json }: Output & { readonly kind?: JobKind[]; readonly limit: number },
): Promise<number> {
  return atStudio(json, async ({ connection: { client }, interrupts }) => {
    const found: Job[] = []
    for (let before: string | undefined; found.length < limit;) {
      const { jobs, next } = await client.studio.list(
        {
          limit: Math.min(PAGE, limit - found.length),
          ...(kind && { kinds: kind }),
          ...(terms !== '' && { text: terms.slice(0, 500) }),
          ...(before !== undefined && { before }),
        },
        { signal: interrupts.asked },
      )
      found.push(...jobs)
      if (next === undefined) break
      before = next
    }
    print(
      json,
      { jobs: found.map(jobJson) },
      found.length === 0 ? (terms === '' ? 'No jobs yet.' : 'No matches.') : found.map(jobLine).join('\n'),
    )
    return 0
  })
}

/** `sotto jobs get`. */
export function showJob(name: string, { json }: Output): Promise<number> {
  return atStudio(json, async ({ connection: { client } }) => {
    const job = await jobNamed(client, name)
    print(json, { job: jobJson(job) }, linesOf(job).map(oneLine).join('\n'))
    return 0
  })
}

function linesOf(job: Job): string[] {
  const { id, at, kind, pay, ask, estimate, receiptId, failure, may, files } = job
  return [
    `${id}  ${kind}: ${stateWords(job)}`,
    `Created: ${formatSecond(at)}`,
    `Payment: ${pay === 'balance' ? 'account balance' : 'per request, over Lightning'}. ${costWords(job)}.${estimate ? ` Estimate: ${rangeWords(estimate)}.` : ''}`,
    `Request: ${JSON.stringify(ask)}`,
    ...(receiptId === undefined ? [] : [`Receipt: ${receiptId}`]),
    ...(failure ? [failureLine(failure)] : []),
    ...files.map((file) => `${fileRoleNames[file.role]}: ${fileWords(file)}`),
    ...(may.length > 0 ? [`Available actions: ${may.join(', ')}`] : []),
  ]
}

/** `sotto jobs wait`: exit codes are those of the commands that begin jobs. */
export function waitForJobNamed(name: string, options: Saving): Promise<number> {
  return atStudio(options.json, async (studio) => {
    const job = await jobNamed(studio.connection.client, name)
    const target =
      options.out === undefined
        ? null
        : await targetOf(options.out, { force: options.force, count: Math.max(1, savedFiles(job).length) })
    return finish(studio, job, {
      making: { saved: (_, ended) => savedOf(studio, ended, { out: options.out }) },
      target,
      options,
    })
  })
}

/** `sotto jobs save`. */
export function saveJob(
  name: string,
  { out, file, force, json, format }: Saving & { readonly file?: number; readonly format?: string },
): Promise<number> {
  return atStudio(json, async (studio) => {
    const { connection, interrupts, progress } = studio
    const job = await jobNamed(connection.client, name)
    const files =
      file === undefined
        ? savedOf(studio, job, { format, out })
        : job.files
            .filter(({ index }) => index === file)
            .map(({ name: fileName, index }) => ({
              name: fileName,
              path: async () =>
                (await connection.client.studio.link({ jobId: job.id, index, download: true })).path,
            }))
    if (files.length === 0)
      throw unusable(
        file === undefined ? 'The job has nothing to save.' : 'The job has no such file.',
        `For its status and files, run "sotto jobs get ${job.id.slice(0, 8)}".`,
      )
    if (json && out === '-')
      throw unusable(
        'Standard output can’t carry both the JSON and the file.',
        'Leave out --json, or name a file with --out.',
      )
    const target = await targetOf(out ?? '.', { force, count: files.length })
    interrupts.asked.throwIfAborted()
    progress.show('Saving…')
    const paths = await saveAll(studio, files, target, job.id.slice(0, 8))
    progress.end()
    if (json || paths.length > 0) print(json, { jobId: job.id, files: paths }, paths.join('\n'))
    return 0
  })
}

/** `sotto jobs remove`: running jobs stay. Exit code 1 if a job stays. */
export function removeJobs(names: readonly string[], { json }: Output): Promise<number> {
  return atStudio(json, async ({ connection: { client } }) => {
    const ids = await idsOf(client, names)
    const { removed } = await client.studio.remove({ jobIds: ids })
    const remaining = ids.filter((id) => !removed.includes(id))
    print(
      json,
      { removed, kept: remaining },
      [
        ...removed.map((id) => `Removed: ${id}`),
        ...remaining.map((id) => `Still running, not removed: ${id}`),
      ].join('\n'),
    )
    return remaining.length > 0 ? 1 : 0
  })
}

/** `sotto jobs stop`. */
export function stopJobNamed(name: string, { json }: Output): Promise<number> {
  return atStudio(json, async ({ connection: { client } }) => {
    const { id, may } = await jobNamed(client, name)
    const job = await (may.includes('pause')
      ? client.studio.pause({ jobId: id })
      : client.studio.stop({ jobId: id }))
    print(json, { job: jobJson(job) }, jobLine(job))
    return 0
  })
}

/** `sotto jobs compare`: exit code 1 if nothing matches. */
export function compareJob(name: string, { json }: Output): Promise<number> {
  return atStudio(json, async ({ connection: { client }, interrupts }) => {
    const { id } = await jobNamed(client, name)
    const { matches, whole } = await client.studio.compare({ jobId: id }, { signal: interrupts.asked })
    const lines = matches.map(
      ({ at, model, type, cost }) =>
        `${formatSecond(at)}  ${model}${type === undefined ? '' : ` (${type})`}: ${cost === undefined ? 'cost unknown' : formatRecordedUsd(cost)}`,
    )
    const none = whole
      ? 'The history shows nothing for this model at that time, so this request probably wasn’t processed. You can send it again.'
      : 'No match found, but some of the history for that time couldn’t be read.'
    print(
      json,
      { matches: matches.map(matchJson), whole },
      lines.length === 0
        ? none
        : ['These were charged for the same model at that time. One of them may be this request:', ...lines]
            .map(oneLine)
            .join('\n'),
    )
    return matches.length > 0 ? 0 : 1
  })
}

/** `sotto jobs export`: one ZIP file. */
export function exportJobs(
  names: readonly string[],
  { all, out, force, json }: Saving & { readonly all: boolean },
): Promise<number> {
  return atStudio(json, async (studio) => {
    const {
      connection: { client },
      interrupts,
      progress,
    } = studio
    if (all === names.length > 0)
      throw unusable(
        'No jobs were named, or jobs were named together with --all.',
        'Name jobs, or use only --all.',
      )
    if (json && out === '-')
      throw unusable(
        'Standard output can’t carry both the JSON and the file.',
        'Leave out --json, or name a file with --out.',
      )
    const target = await targetOf(out ?? '.', { force })
    const ids = all ? await everyId(studio) : await idsOf(client, names)
    if (ids.length === 0)
      throw unusable('There are no jobs to export.', 'To list jobs, run "sotto jobs list".')
    if (ids.length > MAX_EXPORTED)
      throw unusable(
        `One file can hold at most ${String(MAX_EXPORTED)} jobs.`,
        'Export fewer jobs at a time.',
      )
    const { path, name } = await client.studio.export({ jobIds: ids }, { signal: interrupts.asked })
    progress.show('Saving…')
    const archive = { name, path: () => Promise.resolve(path) }
    const paths = await saveAll(studio, [archive], target, String(Date.now()))
    progress.end()
    if (json || paths.length > 0) print(json, { jobIds: ids, files: paths }, paths.join('\n'))
    return 0
  })
}

/** The contract's limit. */
const MAX_EXPORTED = 1000

/** `sotto jobs usage`. */
export function showUsage({ json }: Output): Promise<number> {
  return atStudio(json, async ({ connection: { client } }) => {
    const usage = await client.studio.usage()
    print(
      json,
      { usage },
      usage.every(({ jobs }) => jobs === 0)
        ? 'Nothing is saved.'
        : usage
            .filter(({ jobs }) => jobs > 0)
            .map(
              ({ kind, jobs, files, bytes }) =>
                `${kind}: ${counted(jobs, 'job', 'jobs')}, ${counted(files, 'file', 'files')}, ${formatBytes(bytes)}`,
            )
            .join('\n'),
    )
    return 0
  })
}

async function idsOf(client: Studio['connection']['client'], names: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const name of names) ids.push((await jobNamed(client, name)).id)
  return [...new Set(ids)]
}

async function everyId({ connection: { client }, interrupts }: Studio): Promise<string[]> {
  const ids: string[] = []
  for (let before: string | undefined; ;) {
    const { jobs, next } = await client.studio.list(
      { limit: PAGE, ...(before !== undefined && { before }) },
      { signal: interrupts.asked },
    )
    ids.push(...jobs.map(({ id }) => id))
    if (next === undefined) return ids
    before = next
  }
}
