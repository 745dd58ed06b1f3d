import { t } from '@lingui/core/macro'
import type { Stage } from './live-answer.ts'

const EVERY_MS = 6000
const MOST = 280

export const stageWord: Readonly<Record<Stage, string>> = {
  get proving() {
    return t`Verifying the enclave…`
  },
  get sealing() {
    return t`Sealing…`
  },
  get sending() {
    return t`Sending…`
  },
  get waiting() {
    return t`Waiting for the first word…`
  },
}

/** Screen reader announcements while a reply arrives: its stages, then whole sentences at a listenable pace. */
export class SpokenProgress {
  readonly #say: (text: string) => void
  readonly #now: () => number
  #pending = ''
  #last = Number.NEGATIVE_INFINITY

  constructor(msg: (text: string) => void, now: () => number = () => performance.now()) {
    this.#say = msg
    this.#now = now
  }

  stage(stage: Stage): void {
    this.#say(stageWord[stage])
  }

  text(text: string): void {
    this.#pending = (this.#pending + text).slice(-4 * MOST)
    if (this.#now() - this.#last < EVERY_MS) return
    const end = Math.max(this.#pending.lastIndexOf('. '), this.#pending.lastIndexOf('\n'))
    if (end < 0) return
    this.#last = this.#now()
    this.#say(
      this.#pending
        .slice(0, end + 1)
        .trim()
        .slice(-MOST),
    )
    this.#pending = this.#pending.slice(end + 1)
  }

  end(text: string): void {
    this.#pending = ''
    this.#say(text.trim())
  }
}
