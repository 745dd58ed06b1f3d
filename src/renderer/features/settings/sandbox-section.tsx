import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useId, useState } from 'react'
import type { Failure } from '../../../shared/contract/sotto-contract.ts'
import type { SandboxRoute } from '../../../shared/sandbox-routes.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { asFailure } from '../../ui/failure.ts'
import { FailureNote } from '../../ui/failure-note.tsx'
import { refreshRoutes, setRouteFault, useFaults } from '../../ui/fault-store.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Section } from '../../ui/view.tsx'
import { useAction } from '../../ui/use-action.ts'
import { fromCore } from '../../ui/language/core-sentences.ts'
import { RouteControls } from './route-controls.tsx'
import { grouped } from './route-faults.ts'
import styles from './sandbox-section.module.css'
import { WalletControl } from './wallet-control.tsx'

/** The simulated faults of the sandbox's routes, for Sotto and for every tool that uses Sotto. */
export function SandboxSection() {
  const routes = useFaults((state) => state.routes)
  const [failure, setFailure] = useState<Failure>()
  useEffect(() => {
    refreshRoutes().catch((thrown: unknown) => setFailure(asFailure(thrown)))
  }, [])
  return (
    <Section
      title={t`Demo mode`}
      description={t`Make the demo service fail on purpose to see how Sotto and your tools respond. A rejected request does nothing and costs nothing. A response that stalls or cuts off was still processed and costs the usual amount. All faults turn off when demo mode stops.`}
    >
      {failure && <FailureNote failure={failure} />}
      {!routes && !failure && <Skeleton label={t`Loading routes…`} />}
      {routes && (
        <>
          <WhatIsOn routes={routes} />
          <ul className={styles.groups}>
            {grouped(routes).map(({ group, routes: members }) => (
              <GroupRow key={group} group={group} routes={members} />
            ))}
          </ul>
        </>
      )}
      <WalletControl />
      <p className={styles.small}>
        <Trans>
          Enclave faults are under <a href="#/privacy/self-test">Simulated faults in Privacy</a>.
        </Trans>
      </p>
    </Section>
  )
}

function WhatIsOn({ routes }: { routes: readonly SandboxRoute[] }) {
  const on = routes.filter(({ fault }) => fault !== null)
  const off = useAction(() =>
    setRouteFault(
      on.map(({ name }) => name),
      null,
    ),
  )
  return (
    <div className={styles.bar}>
      <p role="status">
        {on.length === 0
          ? t`All ${routes.length} routes respond normally.`
          : plural(on.length, {
              one: `# of ${routes.length} routes has a simulated fault.`,
              other: `# of ${routes.length} routes have simulated faults.`,
            })}
      </p>
      <Button onClick={() => void off.run()} busy={off.busy && t`Turning off…`} disabled={on.length === 0}>
        <Trans>Turn all off</Trans>
      </Button>
      {off.failure && <FailureNote failure={off.failure} />}
    </div>
  )
}

/** A group as one, and each of its routes where they are asked for. */
function GroupRow({ group, routes }: { group: string; routes: readonly SandboxRoute[] }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const on = routes.filter(({ fault }) => fault !== null).length
  const [only] = routes
  return (
    <li className={classNames(styles.group, on > 0 && styles.on)}>
      <div className={styles.row}>
        <div className={styles.name}>
          <h3>{fromCore(group)}</h3>
          {on > 0 && (
            <span className={styles.mark}>
              {on === routes.length ? t`on` : t`${on} of ${routes.length} on`}
            </span>
          )}
          {routes.length > 1 ? (
            <Button kind="link" aria-expanded={open} aria-controls={id} onClick={() => setOpen(!open)}>
              <Trans>Show {routes.length} routes</Trans>
            </Button>
          ) : (
            only && <code className={styles.note}>{only.name}</code>
          )}
        </div>
        <RouteControls label={fromCore(group)} routes={routes} />
      </div>
      {routes.length > 1 && (
        <ul id={id} hidden={!open} className={styles.routes}>
          {open &&
            routes.map((route) => (
              <li key={route.name} className={classNames(styles.row, route.fault !== null && styles.on)}>
                <div className={styles.name}>
                  <code>{route.name}</code>
                  <span className={styles.note}>{fromCore(route.description)}</span>
                  {route.fault !== null && (
                    <span className={styles.mark}>
                      <Trans>on</Trans>
                    </span>
                  )}
                </div>
                <RouteControls label={route.name} routes={[route]} />
              </li>
            ))}
        </ul>
      )}
    </li>
  )
}
