import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import { selfTestTargets } from '../../../shared/self-test.ts'
import {
  faultsOn,
  sandboxFaultNames,
  sandboxFaults,
  sandboxPlatforms,
  sandboxPlatformSchema,
  serviceEnclaveFaultNames,
  type SandboxFault,
  type SandboxPlatform,
} from '../../../shared/sandbox-faults.ts'
import { Button } from '../../ui/button.tsx'
import { asFailure } from '../../ui/failure.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { setFault, setPlatform, useFaults } from '../../ui/fault-store.ts'
import { PrivacyMark } from '../../ui/privacy-mark.tsx'
import { Section } from '../../ui/view.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useServiceEnclave } from '../../ui/service-enclave-store.ts'
import { useVerdict, verifyNow } from '../../ui/verdict-store.ts'
import { fromCore } from '../../ui/language/core-sentences.ts'
import styles from './fault-injection.module.css'

/** Simulates attacks that Sotto must detect: the sandbox commits them, and Sotto has to notice. */
export function FaultInjection() {
  const { on, platform } = useFaults((faults) => faults)
  const relays = useServiceEnclave(({ view }) => Boolean(view))
  // A fault that is still on stays visible even if it has no effect here, so that it can be turned off.
  const ofService: readonly SandboxFault[] = serviceEnclaveFaultNames.filter(
    (name) => relays || on.includes(name),
  )
  const meant = [...faultsOn(platform), ...on].filter((name) => !ofService.includes(name))
  const spoiling = (what: 'proof' | 'answer') =>
    sandboxFaultNames.filter((name) => sandboxFaults[name].spoils === what && meant.includes(name))
  return (
    <Section
      title={t`Simulated faults`}
      description={t`The demo service can misbehave on purpose, with real keys and signatures. Turn on a fault, then verify or send a message to see how Sotto responds.`}
    >
      <PlatformChoice />
      <Outcome />
      <h3 className={styles.heading}>
        <Trans>Verification faults: verify to see the effect</Trans>
      </h3>
      <ul className={styles.faults}>
        {spoiling('proof').map((name) => (
          <FaultRow key={name} fault={name} />
        ))}
      </ul>
      <h3 className={styles.heading}>
        <Trans>Reply faults: send a message to see the effect</Trans>
      </h3>
      <ul className={styles.faults}>
        {spoiling('answer').map((name) => (
          <FaultRow key={name} fault={name} />
        ))}
      </ul>
      {ofService.length > 0 && (
        <>
          <h3 className={styles.heading}>{fromCore(selfTestTargets['service-enclave'])}</h3>
          <ul className={styles.faults}>
            {ofService.map((name) => (
              <FaultRow key={name} fault={name} />
            ))}
          </ul>
        </>
      )}
    </Section>
  )
}

/** The platform of the sandbox's enclave. It applies to the next evidence. */
function PlatformChoice() {
  const platform = useFaults((state) => state.platform)
  const [failure, setFailure] = useState<Failure>()
  const move = (to: SandboxPlatform) =>
    setPlatform(to).then(
      () => setFailure(undefined),
      (thrown: unknown) => setFailure(asFailure(thrown)),
    )
  return (
    <fieldset className={styles.platforms}>
      <legend>
        <Trans>Enclave platform</Trans>
      </legend>
      {sandboxPlatformSchema.options.map((option) => (
        <label key={option}>
          <input
            type="radio"
            name="platform"
            value={option}
            checked={option === platform}
            onChange={() => void move(option)}
          />
          {sandboxPlatforms[option]}
        </label>
      ))}
      {failure && <FailureNote failure={failure} />}
    </fieldset>
  )
}

/** The verdict, next to the switches. */
function Outcome() {
  const { verdict, verifying } = useVerdict((state) => state)
  return (
    <div className={styles.outcome}>
      <Button onClick={() => void verifyNow()} busy={verifying && t`Verifying…`}>
        <Trans>Verify</Trans>
      </Button>
      {verdict && !verifying && (
        <p role="status">
          {verdict.good ? (
            t`The last verification passed.`
          ) : (
            <>
              <PrivacyMark privacy="refused" /> {verdict.failure && fromCore(verdict.failure.says)}{' '}
              <code>{verdict.failure?.step}</code>
            </>
          )}
        </p>
      )}
    </div>
  )
}

function FaultRow({ fault }: { fault: SandboxFault }) {
  const on = useFaults((state) => state.on.includes(fault))
  const turn = useAction(() => setFault(fault, !on))
  return (
    <li>
      <Switch
        on={on}
        onTurn={() => void turn.run()}
        disabled={turn.busy}
        label={fromCore(sandboxFaults[fault].description)}
        note={fault}
      />
      {turn.failure && <FailureNote failure={turn.failure} />}
    </li>
  )
}
