import { sandboxFaults, sandboxPlatforms, sandboxPlatformSchema } from '../../../shared/sandbox-faults.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { Section } from '../../ui/room.tsx'
import { DrillGroup } from './drill-group.tsx'
import { startDrill, stopDrill, sumOf, useDrill, type Played } from './drill-store.ts'
import styles from './attack-drill.module.css'

/** Known attacks, played against this very Sotto, and what became of each. */
export function AttackDrill() {
  const { state, attempts, current, failure } = useDrill()
  return (
    <Section title="Attack drill" says="Sotto attacks itself: a sandbox of the drill’s own plays an enclave on each platform and cheats, with real signatures, in every way it knows. Nothing of yours is used, nothing leaves this machine, and it works offline.">
      <div className={styles.control}>
        {state === 'running'
          ? <Button onClick={stopDrill}>Stop</Button>
          : <Button onClick={() => void startDrill()}>{state === 'none' ? 'Run the drill' : 'Run it again'}</Button>}
        {state === 'running' && <Progress attempts={attempts} current={current} />}
        {(state === 'ended' || state === 'stopped') && attempts.length > 0 && <p className={styles.sum} data-held={attempts.every(({ result }) => result?.held !== false)}>{sumOf(state, attempts)}</p>}
      </div>
      {failure && <FailureNote failure={failure} />}
      {attempts.length > 0 && (
        <div className={styles.groups}>
          {sandboxPlatformSchema.options.map((platform) => (
            <DrillGroup key={platform} platform={platform} attempts={attempts.filter((each) => each.platform === platform)} running={attempts[current]?.platform === platform} />
          ))}
        </div>
      )}
    </Section>
  )
}

function Progress({ attempts, current }: { attempts: readonly Played[]; current: number }) {
  const attempt = attempts[current]
  const says = attempt === undefined
    ? 'Minting the roots of the drill’s sandbox. This takes some seconds.'
    : `${sandboxPlatforms[attempt.platform]}: ${attempt.fault === null ? 'a sound enclave' : sandboxFaults[attempt.fault].says}`
  return (
    <div className={styles.progress}>
      <progress aria-label="The attack drill" max={attempts.length || 1} value={Math.max(current, 0)} />
      <p>{attempt !== undefined && <span className={styles.count}>{current + 1} of {attempts.length} </span>}{says}</p>
    </div>
  )
}
