import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { access, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, extname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { failureSchema } from '../../shared/contract/failure.ts'
import type { embeddingExportForms } from '../../shared/job-rows.ts'
import type { Job } from '../../shared/job.ts'
import { CommandFailure, type CommandClient } from '../client.ts'
import { unusable, type Interrupts, type Studio } from './at-studio.ts'
import { savedFiles } from './labels.ts'

/** Where to save results: in a folder with their own names, in a file, or on standard output. */
export type Target =
  | { readonly folder: string }
  | { readonly file: string; readonly force: boolean }
  | 'stdout'

/**
 * Checks the target before anything is sent. Throws request/invalid if the files can't be saved there. @param
 * count the expected number of files
 */
export async function targetOf(
  out: string,
  { force, count = 1 }: { readonly force: boolean; readonly count?: number },
): Promise<Target> {
  if (out === '-') {
    if (count > 1) throw unusable('Several files can’t go to standard output.', 'Name a folder with --out.')
    return 'stdout'
  }
  const path = resolve(out)
  const found = await stat(path).catch(() => null)
  if (found?.isDirectory()) {
    await requireWritable(path)
    return { folder: path }
  }
  if (/[/\\]$/.test(out))
    throw unusable(`The folder “${out}” doesn’t exist.`, 'Create it first, or name a file.')
  await requireWritable(dirname(path))
  for (let at = 0; at < count; at++) {
    const target = numbered(path, at, count)
    if (!force && (await stat(target).catch(() => null)))
      throw unusable(
        `The file “${target}” already exists.`,
        'Name another file, or use --force to overwrite it.',
      )
  }
  return { file: path, force }
}

async function requireWritable(folder: string): Promise<void> {
  try {
    await access(folder, constants.W_OK)
  } catch {
    throw unusable(`Can’t write to the folder “${folder}”.`, 'Check that it exists and your permissions.')
  }
}

/** Numbers several files: `otter.png` becomes `otter-1.png`, and so on. */
function numbered(path: string, at: number, count: number): string {
  if (count === 1) return path
  const ending = extname(path)
  return `${path.slice(0, path.length - ending.length)}-${String(at + 1)}${ending}`
}

/** A file to save. */
export interface Saved {
  /** Named by the core, with plain characters only. */
  readonly name: string
  /** The path to download from. Requested just before the download, because it expires after some minutes. */
  readonly path: () => Promise<string>
}

/**
 * Saves all files. Returns their paths, or none for standard output.
 *
 * @param tag distinguishes files with the same name Throws request/invalid, studio/unknown.
 */
export function saveAll(
  { connection, interrupts }: Studio,
  files: readonly Saved[],
  target: Target,
  tag: string,
): Promise<string[]> {
  return untilInterrupt(interrupts, async (signal) => {
    const saved: string[] = []
    for (const [at, { name, path }] of files.entries()) {
      const content = await contentAt(connection, await path(), signal)
      if (target === 'stdout') await pipeline(content, process.stdout, { end: false })
      else if ('file' in target)
        saved.push(await save(content, numbered(target.file, at, files.length), target.force))
      else saved.push(await saveIn(content, target.folder, name, tag))
    }
    return saved
  })
}

/** Reads a result that Sotto has. An earlier Ctrl-C may have ended its job, so only the next one counts. */
async function untilInterrupt<T>(
  interrupts: Interrupts,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  using interrupt = interrupts.next()
  try {
    return await read(interrupt.signal)
  } catch (thrown) {
    if (!interrupt.signal.aborted) throw thrown
    throw new CommandFailure({
      code: 'request/canceled',
      says: 'Stopped. The result is saved in Sotto.',
      remedy: 'To save it as a file, run "sotto jobs save".',
    })
  }
}

async function saveIn(content: Readable, folder: string, name: string, tag: string): Promise<string> {
  const path = join(folder, name)
  const ending = extname(name)
  // A file with the same name may already exist.
  return save(
    content,
    (await stat(path).catch(() => null))
      ? join(folder, `${name.slice(0, name.length - ending.length)}-${tag}${ending}`)
      : path,
    false,
  )
}

/**
 * Saves the whole file or nothing. A failed download leaves no partial file and doesn't touch an existing
 * one.
 */
async function save(content: Readable, path: string, force: boolean): Promise<string> {
  const whole = force ? `${path}.${randomBytes(6).toString('hex')}.part` : path
  let created = false
  try {
    const file = await open(whole, 'wx')
    created = true
    await pipeline(content, file.createWriteStream())
    if (force) await rename(whole, path)
    return path
  } catch (cause) {
    content.destroy()
    if (created) await rm(whole, { force: true })
    const why =
      cause instanceof Error && 'code' in cause && cause.code === 'EEXIST'
        ? ', because it already exists'
        : ''
    throw new CommandFailure({
      code: 'store/unwritable',
      says: `Couldn’t save the result as ${path}${why}.`,
      remedy: 'The result is saved in Sotto. To save it elsewhere, run "sotto jobs save".',
    })
  }
}

/** Streams a file at the reader's pace. Throws studio/unknown if it no longer exists. */
async function contentAt(connection: CommandClient, path: string, signal: AbortSignal): Promise<Readable> {
  const response = await connection.fetch(new Request(new URL(path, 'http://sotto.invalid'), { signal }))
  if (!response.ok) {
    const failure = failureSchema.safeParse(await response.json().catch(() => null))
    throw new CommandFailure(
      failure.success
        ? failure.data
        : {
            code: 'studio/unknown',
            says: 'The file is no longer available.',
            remedy: 'Run "sotto jobs get" to see the job.',
          },
    )
  }
  return response.body ? Readable.fromWeb(response.body, { signal }) : Readable.from([])
}

/** Reads a text or a reply completely. @param most bytes */
export function textAt({ connection, interrupts }: Studio, path: string, most: number): Promise<string> {
  return untilInterrupt(interrupts, async (signal) => {
    const pieces: Uint8Array[] = []
    let size = 0
    for await (const piece of await contentAt(connection, path, signal)) {
      if (!(piece instanceof Uint8Array)) continue
      size += piece.byteLength
      if (size > most) throw unusable('The result is too large to print.', 'Save it with "sotto jobs save".')
      pieces.push(piece)
    }
    return Buffer.concat(pieces).toString('utf8')
  })
}

type ResultForm = (typeof embeddingExportForms)[number]

const FORMS = {
  batch: ['csv', 'json'],
  embedding: ['npy', 'csv', 'json', 'parquet'],
} as const satisfies Record<string, readonly ResultForm[]>

/**
 * Returns the files for `sotto jobs save`: the results so far of a batch or an embedding in a single format,
 * otherwise the job's files. Throws request/invalid.
 */
export function savedOf(
  { connection: { client } }: Studio,
  job: Job,
  wanted: { readonly format?: string | undefined; readonly out?: string | undefined },
): Saved[] {
  if (job.kind !== 'batch' && job.kind !== 'embedding') {
    return savedFiles(job).map(({ name, index }) => ({
      name,
      path: async () => (await client.studio.link({ jobId: job.id, index, download: true })).path,
    }))
  }
  const format = resultForm(job.kind, wanted)
  return [
    {
      name: `${job.kind}-${job.id.slice(0, 8)}.${format}`,
      path: async () => (await client.studio.results({ jobId: job.id, format })).path,
    },
  ]
}

/** Returns the chosen format, otherwise the format of the file name. */
export function resultForm(
  kind: keyof typeof FORMS,
  { format, out }: { readonly format?: string | undefined; readonly out?: string | undefined },
): ResultForm {
  const forms: readonly ResultForm[] = FORMS[kind]
  const ending = out === undefined || out === '-' ? undefined : /\.(\w+)$/.exec(out)?.[1]?.toLowerCase()
  const named = format ?? ending
  const found = forms.find((form) => form === named) ?? (named === undefined ? forms[0] : undefined)
  if (found === undefined)
    throw unusable(`The format “${named ?? ''}” isn’t supported here.`, `Use one of ${forms.join(', ')}.`)
  return found
}
