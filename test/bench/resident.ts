import { readFileSync } from 'node:fs'

const LOOK_EVERY_MS = 2

/**
 * Measures how much more of the machine's memory a process takes than at the start of the watch, in MiB.
 * Linux only.
 */
export class ResidentWatch implements Disposable {
  readonly idle: number
  readonly #timer: NodeJS.Timeout
  #peak: number

  constructor(pid: number | undefined) {
    this.idle = this.#peak = residentOf(pid)
    this.#timer = setInterval(() => (this.#peak = Math.max(this.#peak, residentOf(pid))), LOOK_EVERY_MS)
  }

  get above(): number {
    return this.#peak - this.idle
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }
}

function residentOf(pid: number | undefined): number {
  return (
    Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${String(pid)}/status`, 'utf8'))?.[1] ?? NaN) /
    1024
  )
}
