import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useState } from 'react'
import type { ServiceEnclaveView } from '../../../../shared/chat-route.ts'
import { imageRules, type ImageRule } from '../../../../shared/policy/service-enclave.ts'
import { Button } from '../../../ui/button.tsx'
import { Fact, Facts } from '../../../ui/facts.tsx'
import { FailureNote } from '../../../ui/failure-note.tsx'
import { RadioGroup } from '../../../ui/radio-group.tsx'
import { useAction } from '../../../ui/use-action.ts'
import { explained } from './explained.tsx'
import styles from './other-models.module.css'
import { ProvenanceDialog } from './provenance-dialog.tsx'
import { removeImage, setImageRule } from './service-enclave-acts.ts'

const createLabels = (
  recordHost: string,
): Readonly<Record<ImageRule, { readonly name: string; readonly means: string }>> => ({
  published: {
    name: t`Published by the service`,
    means: t`Accepts the images listed at ${recordHost}. The list isn’t signed.`,
  },
  approved: {
    name: t`Approved by you`,
    means: t`Accepts only images that you approve here. Each update of the enclave needs your approval.`,
  },
  proven: {
    name: t`Proven by provenance`,
    means: t`Accepts only images that are proven to come from the publisher’s workflow. That doesn’t prove the source they were built from.`,
  },
})

/** Which images of the service's enclave are accepted, and why. A weaker rule and an approval are confirmed outside the window. */
export function ImageChoice({ view }: { view: ServiceEnclaveView }) {
  const { rule, recordHost } = view
  const [isAdding, setIsAdding] = useState(false)
  const choosing = useAction((chosen: ImageRule) => setImageRule(chosen))
  const options = createLabels(recordHost)
  return (
    <div className={styles.choice}>
      <h3 className={styles.heading}>{t`Accepted enclave images`}</h3>
      <RadioGroup
        label={t`Accepted enclave images`}
        name="image-rule"
        className={styles.options}
        options={imageRules.map((id) => ({ id, name: explained(options[id]), disabled: choosing.busy }))}
        chosen={rule}
        onChoose={(chosen) => void choosing.run(chosen)}
      />
      {choosing.failure && <FailureNote failure={choosing.failure} />}
      <Accepted view={view} />
      <div className={styles.save}>
        <Button onClick={() => setIsAdding(true)}>
          <Trans>Add provenance…</Trans>
        </Button>
        <p>
          <Trans>
            Use the files PCR.json and its Sigstore bundle, exactly as the publisher’s workflow created them.
          </Trans>
        </p>
      </div>
      {isAdding && <ProvenanceDialog close={() => setIsAdding(false)} />}
    </div>
  )
}

function Accepted({ view: { rule, approved, proven } }: { view: ServiceEnclaveView }) {
  const removing = useAction((pcr0: string) => removeImage(pcr0))
  if (rule === 'published') return null
  const images = rule === 'approved' ? approved : proven
  if (images.length === 0)
    return (
      <p className={styles.note}>
        {rule === 'approved' ? t`You haven’t approved an image yet.` : t`No provenance was added yet.`}
      </p>
    )
  return (
    <>
      <Facts>
        {images.map(({ pcr0, commit }) => (
          <Fact key={pcr0} name={rule === 'approved' ? t`Approved image` : t`Image with provenance`}>
            <code>{pcr0}</code>
            {commit !== undefined && (
              <p>
                <Trans>
                  Workflow run for commit <code>{commit}</code>
                </Trans>
              </p>
            )}
            <p>
              <RemoveButton pcr0={pcr0} disabled={removing.busy} remove={() => void removing.run(pcr0)} />
            </p>
          </Fact>
        ))}
      </Facts>
      {removing.failure && <FailureNote failure={removing.failure} />}
    </>
  )
}

function RemoveButton({ pcr0, disabled, remove }: { pcr0: string; disabled: boolean; remove: () => void }) {
  const start = pcr0.slice(0, 8)
  return (
    <Button disabled={disabled} onClick={remove} aria-label={t`Remove image ${start}`}>
      <Trans>Remove</Trans>
    </Button>
  )
}
