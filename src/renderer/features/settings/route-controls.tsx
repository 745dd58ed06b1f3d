import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { RouteFault, SandboxRoute } from '../../../shared/sandbox-routes.ts'
import { asFailure } from '../../ui/failure.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { readFaults, setRouteFault } from '../../ui/fault-store.ts'
import {
  byNewFault,
  common,
  longestWait,
  waitOf,
  withWait,
  withWrong,
  wrongOf,
  wrongs,
} from './route-faults.ts'
import { Select } from '../../ui/select.tsx'
import styles from './sandbox-section.module.css'

type Change = (fault: RouteFault | null) => RouteFault | null

let lastChange: Promise<void> = Promise.resolve()

/**
 * Serializes the changes, so that a change to the same routes keeps the effect of the previous one. Rejects
 * if the call fails.
 */
function queueChange(names: readonly string[], change: Change): Promise<void> {
  const pending = lastChange.then(async () => {
    const routes = readFaults().routes?.filter(({ name }) => names.includes(name)) ?? []
    for (const { names: same, fault } of byNewFault(routes, change)) await setRouteFault(same, fault)
  })
  lastChange = pending.catch(() => undefined)
  return pending
}

/** The simulated faults of some routes and their delay before a response. A change takes effect at once. */
export function RouteControls({ label, routes }: { label: string; routes: readonly SandboxRoute[] }) {
  const [failure, setFailure] = useState<Failure>()
  /** The selection while the call is pending, so that the next arrow key continues from it. */
  const [chosen, setChosen] = useState<string>()
  async function tell(change: Change): Promise<void> {
    try {
      await queueChange(
        routes.map(({ name }) => name),
        change,
      )
      setFailure(undefined)
    } catch (thrown) {
      setFailure(asFailure(thrown))
    }
  }
  async function choose(id: string): Promise<void> {
    setChosen(id)
    await tell((fault) => withWrong(fault, id))
    setChosen((latest) => (latest === id ? undefined : latest))
  }
  const wrong = chosen ?? common(routes, wrongOf)
  return (
    <>
      {routes.every(({ fails }) => fails) ? (
        <Select
          aria-label={t`${label}: behavior`}
          value={wrong ?? ''}
          onChange={({ target: { value: id } }) => void choose(id)}
        >
          {wrong === undefined && (
            <option value="" disabled>
              {routes.length > 1 ? t`Mixed` : t`Custom`}
            </option>
          )}
          {wrongs.map(({ id, description }) => (
            <option key={id} value={id}>
              {description}
            </option>
          ))}
        </Select>
      ) : (
        <span className={styles.note}>
          <Trans>Set under Simulated faults</Trans>
        </span>
      )}
      <Wait
        label={label}
        ms={common(routes, waitOf)}
        onWait={(ms) => void tell((fault) => withWait(fault, ms))}
      />
      {failure && <FailureNote failure={failure} className={styles.failure} />}
    </>
  )
}

/** Applies the delay on Enter, and when the field loses focus. */
function Wait({
  label,
  ms,
  onWait,
}: {
  label: string
  ms: number | undefined
  onWait: (ms: number) => void
}) {
  const [draft, setDraft] = useState<string>()
  const wanted = draft === undefined ? ms : Number(draft.trim() || '0')
  const wrong =
    draft !== undefined &&
    !(Number.isSafeInteger(wanted) && wanted !== undefined && wanted >= 0 && wanted <= longestWait)
  const commit = () => {
    if (wrong || draft === undefined || wanted === undefined) return
    if (wanted !== ms) onWait(wanted)
    setDraft(undefined)
  }
  return (
    <label className={styles.wait}>
      <span>
        <Trans>Delay</Trans>
      </span>
      <input
        type="text"
        inputMode="numeric"
        autoComplete="off"
        aria-label={t`${label}: delay in ms`}
        aria-invalid={wrong}
        placeholder={ms === undefined ? t`varies` : '0'}
        value={draft ?? (ms ? String(ms) : '')}
        onChange={(event) => setDraft(event.target.value)}
        onBlur={commit}
        onKeyDown={({ key }) => {
          if (key === 'Enter') commit()
          if (key === 'Escape') setDraft(undefined)
        }}
      />
      <span>ms</span>
      {wrong && (
        <span className={styles.hint} role="alert">
          <Trans>0 to {longestWait} ms</Trans>
        </span>
      )}
    </label>
  )
}
