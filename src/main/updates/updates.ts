import { attestationsIn, fileDigest, verifyBest } from '../../host/release-verification.ts'
import type { ReleaseFileResult } from '../../host/release-file.ts'
import { errorCodes, type ErrorCode } from '../../shared/error-codes.ts'
import { asSottoError, SottoError } from '../../shared/errors.ts'
import { isDue } from '../../shared/duration.ts'
import type { JsonValue } from '../../shared/strict-json.ts'
import type { UpdateControls, UpdateSupport, UpdateView } from '../../shared/updates.ts'
import { type Announcement, isPublished, isNewer } from './feed.ts'
import type { StoredUpdates } from './stored-updates.ts'

/** After the window has painted, and out of the way of what a start does. */
const FIRST_LOOK_MS = 60_000
const LOOK_EVERY_MS = 24 * 60 * 60_000
/** How often it is asked whether a look is due: a machine sleeps through long timers, and the setting may be turned on. */
const TICK_MS = 60 * 60_000

/** Fetches and installs updates; updates.ts decides which and whether. */
export interface UpdateClient {
  /** Fetches the announcement. Throws update/unreachable, update/feed-unreadable. */
  look(): Promise<Announcement>
  /** The fetched file and its attestation. Throws update/download-failed. */
  fetch(
    announced: Announcement,
    onPercent: (percent: number) => void,
  ): Promise<{ readonly file: string; readonly attestation: string }>
  /** Replaces this Sotto by the fetched file and quits; calls `failed` if the system didn't do it. */
  install(failed: () => void): void
}

/** The host's verification of a release by its digest, under the installed roots and identity. */
type VerifyRelease = (digest: string, bundle: JsonValue) => Promise<ReleaseFileResult>

export interface UpdatesParts {
  readonly version: string
  readonly support: UpdateSupport
  readonly hosts: readonly string[]
  /** Opened when it is first needed, which a start never does. */
  readonly open: () => Promise<UpdateClient>
  readonly verify: VerifyRelease
  readonly stored: StoredUpdates
  readonly wanted: () => boolean
  /** Stops the host, so that no work is in progress when the new version starts. */
  readonly leave: () => Promise<void>
  /** Starts this Sotto again. */
  readonly again: () => void
}

export interface Updates extends UpdateControls, Disposable {
  /** Checks automatically from now on, if the setting is on. */
  begin(): void
}

interface Ready {
  readonly file: string
  readonly attestation: string
  readonly version: string
}

/** Checks for a newer release, and installs it only if it's verified. */
export function createUpdates({
  version,
  support,
  hosts,
  open,
  verify,
  stored,
  wanted,
  leave,
  again,
}: UpdatesParts): Updates {
  const { ran, installing } = stored.now
  const updatedFrom = ran !== null && isNewer(version, ran) ? ran : null
  let view: UpdateView = {
    version,
    support,
    phase: 'idle',
    offered: null,
    waits: false,
    percent: null,
    checkedAt: null,
    updatedFrom,
    failure:
      installing === null || installing === version
        ? null
        : failureOf(new SottoError('update/not-installed')),
  }
  if (installing !== null || (updatedFrom === null && ran !== version))
    void stored.keep({ installing: null, ...(updatedFrom === null && { ran: version }) })
  let ready: Ready | null = null
  let client: Promise<UpdateClient> | undefined
  let looking: Promise<UpdateView> | undefined
  let lookedAt = -Infinity
  const timers: NodeJS.Timeout[] = []
  const set = (part: Partial<UpdateView>): UpdateView => (view = { ...view, ...part })

  async function look(): Promise<UpdateView> {
    lookedAt = Date.now()
    set({ phase: 'checking', failure: null, percent: null })
    try {
      const live = await (client ??= opened())
      const announced = await live.look()
      const newer = isNewer(announced.version, version)
      const published = isPublished(announced.version, announced.stagingPercentage, stored.now.seed)
      set({ checkedAt: Date.now(), offered: newer ? announced.version : null, waits: newer && !published })
      if (!newer || !published) return set({ phase: 'idle' })
      set({ phase: 'downloading', percent: 0 })
      const fetched = await live.fetch(announced, (percent) => set({ percent }))
      set({ phase: 'verifying', percent: null })
      await requireRelease(fetched.file, announced.version, fetched.attestation, verify)
      ready = { ...fetched, version: announced.version }
      return set({ phase: 'ready' })
    } catch (thrown) {
      return fail(thrown)
    }
  }

  async function opened(): Promise<UpdateClient> {
    try {
      return await open()
    } catch (thrown) {
      // The next look tries again.
      client = undefined
      throw thrown
    }
  }

  function fail(thrown: unknown): UpdateView {
    ready = null
    return set({
      phase: 'idle',
      percent: null,
      failure: failureOf(asSottoError(thrown, 'update/unreachable')),
    })
  }

  function check(): Promise<UpdateView> {
    if (view.phase === 'ready' || view.phase === 'installing') return Promise.resolve(view)
    looking ??= look().finally(() => (looking = undefined))
    return looking
  }

  function lookIfDue(): void {
    if (wanted() && isDue(Date.now(), lookedAt, LOOK_EVERY_MS)) void check()
  }

  async function install(): Promise<UpdateView> {
    if (!ready || !client || view.phase !== 'ready') throw new SottoError('update/not-ready')
    const { file, attestation, version: next } = ready
    // Before the first await, so that a second call is refused.
    set({ phase: 'verifying' })
    const live = await client
    try {
      // It has lain on the disk since.
      await requireRelease(file, next, attestation, verify)
    } catch (thrown) {
      fail(thrown)
      throw thrown
    }
    await stored.keep({ installing: next })
    void leave()
      .then(() => live.install(again))
      .catch(again)
    return set({ phase: 'installing' })
  }

  return {
    view: () => view,
    check: async () => {
      if (support !== 'yes') throw new SottoError('update/none')
      if (!wanted()) throw new SottoError('update/off')
      return check()
    },
    install,
    changesSeen: async () => {
      await stored.keep({ ran: version })
      return set({ updatedFrom: null })
    },
    hosts: () => (support === 'yes' && wanted() ? hosts : []),
    begin() {
      if (support !== 'yes') return
      timers.push(setTimeout(lookIfDue, FIRST_LOOK_MS), setInterval(lookIfDue, TICK_MS))
    },
    [Symbol.dispose]() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

function failureOf({ code, details: { step, stepCode } }: SottoError): NonNullable<UpdateView['failure']> {
  const { says, remedy } = errorCodes[code satisfies ErrorCode]
  return {
    code,
    says,
    remedy,
    ...(step !== undefined && { step }),
    ...(stepCode !== undefined && { stepCode }),
  }
}

/**
 * Verifies like `sotto verify-release FILE --tag vVERSION`: the one workflow built the file from that
 * version's tag. The tag refuses a genuine older release under a newer name. Throws update/refused, with
 * the failed step.
 */
async function requireRelease(
  file: string,
  version: string,
  attestation: string,
  verify: VerifyRelease,
): Promise<void> {
  let result: ReleaseFileResult
  try {
    const digest = await fileDigest(file)
    result = await verifyBest(attestationsIn(attestation), (bundle) => verify(digest, bundle))
  } catch (thrown) {
    const { code } = asSottoError(thrown)
    throw new SottoError('update/refused', { stepCode: code, cause: thrown })
  }
  if (!result.good)
    throw new SottoError('update/refused', { step: result.failure.step, stepCode: result.failure.code })
  if (result.provenance.tag !== `v${version}`)
    throw new SottoError('update/refused', { stepCode: 'release/other-tag' })
}
