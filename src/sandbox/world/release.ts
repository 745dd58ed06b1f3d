import { createHash } from 'node:crypto'

/** A release of the enclave's code, as its repository tagged and logged it. */
export interface Release {
  readonly tag: string
  /** 40 hex digits. */
  readonly commit: string
  /** 48 bytes: the launch digest of its image. */
  readonly measurement: Buffer
  /** The released deployment file; its SHA-256 is the subject of the statement. */
  readonly deployment: Buffer
  /** Unix ms: when its workflow signed it. */
  readonly loggedAt: number
}

const first = Date.UTC(2025, 0, 1)
const interval = 30 * 24 * 3600_000

/**
 * A release every 30 days since 2025, so that log times never run backwards: not over a restart, and not when the
 * folder is lost. The two RTMRs and digests of a release depend on its tag alone.
 */
export function currentRelease(now: number): Release {
  return release(releaseNumber(now))
}

/** The release before the current one: genuine, logged earlier, another measurement. */
export function olderRelease(now: number): Release {
  return release(releaseNumber(now) - 1)
}

function releaseNumber(now: number): number {
  return Math.max(1, Math.floor((now - first) / interval))
}

function release(number: number): Release {
  const tag = `v1.${number}.0`
  return {
    tag,
    commit: createHash('sha1').update(`sotto-sandbox commit of ${tag}`).digest('hex'),
    measurement: launchDigest(tag),
    deployment: Buffer.from(JSON.stringify({ name: 'sotto-sandbox-enclave', tag, cpus: 8, memory: 16384 })),
    loggedAt: first + number * interval,
  }
}

/** Stands for SHA-384 over the image's pages: one value for each build. */
export function launchDigest(build: string): Buffer {
  return createHash('sha384').update(`sotto-sandbox launch of ${build}`).digest()
}
