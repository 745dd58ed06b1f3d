import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { freshEvidenceSources, type FreshEvidenceSource } from '../../../shared/fresh-evidence.ts'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { RadioGroup } from '../../ui/radio-group.tsx'
import { Section } from '../../ui/view.tsx'
import { useAction } from '../../ui/use-action.ts'
import styles from './choices.module.css'
import { setFreshEvidence, usePrivacy } from './privacy-store.ts'

const names = (host: string): Readonly<Record<FreshEvidenceSource, string>> => ({
  direct: t`Ask ${host} directly. Its operator sees this computer’s address.`,
  relayed: t`Ask the service, which hides this computer’s address. It may not pass the request on.`,
  never: t`Don’t ask. The service may then show earlier evidence.`,
})

/** Selects the source of evidence that answers a random number from Sotto. */
export function FreshEvidence() {
  const view = usePrivacy().data?.choices.freshEvidence
  const choosing = useAction((from: FreshEvidenceSource) => setFreshEvidence(from))
  if (!view) return null
  const labels = names(view.host)
  return (
    <Section
      title={t`Fresh evidence`}
      description={t`With each check, Sotto sends a random number that the hardware signs. This proves that the evidence is new. Only servers on the publisher’s signed list are accepted.`}
    >
      {view.chosen === null ? (
        <>
          <p>
            <Trans>
              Should Sotto ask <strong>{view.host}</strong> directly? The service may not pass these requests
              on. The enclave’s operator then sees this computer’s address, but none of your requests.
            </Trans>
          </p>
          <div className={styles.actions}>
            <Button kind="primary" onClick={() => void choosing.run('direct')} disabled={choosing.busy}>
              <Trans>Ask directly</Trans>
            </Button>
            <Button onClick={() => void choosing.run('relayed')} disabled={choosing.busy}>
              <Trans>Ask only the service</Trans>
            </Button>
          </div>
        </>
      ) : (
        <RadioGroup
          label={t`Fresh evidence`}
          name="fresh-evidence"
          options={freshEvidenceSources.map((id) => ({ id, name: labels[id], disabled: choosing.busy }))}
          chosen={view.chosen}
          onChoose={(from) => void choosing.run(from)}
        />
      )}
      {choosing.failure && <FailureNote failure={choosing.failure} />}
    </Section>
  )
}
