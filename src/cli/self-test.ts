import { runSelfTest } from '../host/self-test/run-self-test.ts'
import {
  selfTestTargets,
  type SelfTestAttempt,
  type SelfTestEvent,
  type SelfTestResult,
} from '../shared/self-test.ts'
import { sandboxFaults } from '../shared/sandbox-faults.ts'
import { counted } from './format.ts'
import { jsonLine, type Output } from './json-output.ts'
import { listenForInterrupt } from './stoppable.ts'

type Played = SelfTestAttempt & SelfTestResult

/** `sotto self-test`: needs no network, no account and no running Sotto. Ctrl-C stops it. Returns the exit code: 0 if every attempt ended as expected. */
export async function selfTest({ json }: Output): Promise<number> {
  using interrupt = listenForInterrupt()
  const played: Played[] = []
  let attempts: readonly SelfTestAttempt[] = []
  let complete = false
  const show = (text: string): void => {
    if (!json) process.stdout.write(text)
  }
  try {
    for await (const event of runSelfTest(interrupt.signal)) {
      if (event.type === 'planned') {
        attempts = event.attempts
        show(
          `Running ${counted(attempts.length, 'attempt', 'attempts')} against a simulated enclave. Creating test roots takes a few seconds.\n`,
        )
      }
      const result = resultOf(event, attempts)
      if (result) {
        if (result.platform !== played.at(-1)?.platform) show(`\n${selfTestTargets[result.platform]}\n`)
        played.push(result)
        show(linesOf(result))
      }
      if (event.type === 'ended') complete = true
    }
  } catch (thrown) {
    if (!interrupt.signal.aborted) throw thrown
  }
  const passed = played.filter((each) => each.held).length
  const allHeld = complete && passed === attempts.length
  if (json) process.stdout.write(`${jsonLine({ held: allHeld, complete, attempts: played })}\n`)
  else process.stdout.write(`\n${sumOf(passed, played.length, complete)}\n`)
  return allHeld ? 0 : 1
}

function resultOf(event: SelfTestEvent, attempts: readonly SelfTestAttempt[]): Played | undefined {
  const attempt = event.type === 'finished' ? attempts[event.index] : undefined
  return attempt && event.type === 'finished' ? { ...attempt, ...event.result } : undefined
}

function linesOf({ fault, held, refusal, expected, received }: Played): string {
  const mark = held ? '✓' : '✗'
  const description =
    fault === null ? 'Control: a valid enclave, no attack.' : sandboxFaults[fault].description
  const outcome =
    refusal === null
      ? 'Answered'
      : `Blocked: ${refusal.step ? `${refusal.step.id} (${refusal.step.code})` : refusal.code}`
  const sent =
    received.bodyBytes === 0
      ? 'nothing was sent'
      : received.sealed
        ? `${counted(received.bodyBytes, 'byte', 'bytes')} sent, all sealed`
        : `${counted(received.bodyBytes, 'byte', 'bytes')} sent, NOT ALL SEALED`
  const must = held ? '' : `\n      UNEXPECTED: the result should be ${expected ?? 'an answer'}`
  return `  ${mark} ${description}\n      ${outcome}; ${sent}${must}\n`
}

function sumOf(passed: number, played: number, complete: boolean): string {
  if (!complete)
    return `Stopped after ${counted(played, 'attempt', 'attempts')}. ${String(passed)} ended as expected.`
  return passed === played
    ? `All ${String(played)} attempts ended as expected.`
    : `${String(played - passed)} of ${String(played)} attempts did NOT end as expected.`
}
