import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { KeyCall } from '../../../../shared/tool-call.ts'
import { ServiceScope } from '../../../data/service-scope.tsx'
import { useWatch } from '../../../data/use-watch.ts'
import { api } from '../../../ui/api.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { useLanguage } from '../../../ui/language/language.ts'
import { withOrderShown } from '../text-order.tsx'
import { ToolQuestion, useJustChanged } from './tool-steps.tsx'

/** Asks about the calls of server tools for requests of local keys, one after the other. */
export function KeyCalls() {
  return (
    <ServiceScope>
      <WaitingCalls />
    </ServiceScope>
  )
}

function WaitingCalls() {
  useLanguage()
  const { data = [], following } = useWatch<readonly KeyCall[], readonly KeyCall[]>(
    'key-calls',
    (signal) => api.tools.keyCalls(undefined, { signal }),
    (_, calls) => calls,
  )
  // Without a connection, it isn't known which calls still wait.
  const call = following ? data[0] : undefined
  const isNew = useJustChanged(call?.step.id ?? '')
  const deny = () => {
    // A call that waits no more needs no decision.
    if (call) api.tools.decide({ callId: call.step.id, decision: 'refuse' }).catch(() => undefined)
  }
  const keyName = withOrderShown(call?.keyName ?? '')
  return (
    <Dialog open={call !== undefined} onClose={deny} alert title={t`Allow a tool call?`}>
      {call?.step.tool && (
        <>
          <p>
            <Trans>A program that uses the local key “{keyName}” waits for your decision.</Trans>{' '}
            <Trans>Without one, the call is denied after two minutes.</Trans>
          </p>
          {call.projectName !== undefined && <p>{reader(call, call.projectName)}</p>}
          <ToolQuestion
            key={call.step.id}
            step={call.step}
            tool={call.step.tool}
            always={t`Allow for this key`}
            isNew={isNew}
          />
        </>
      )}
    </Dialog>
  )
}

/** Who can read what the call finds in the project. */
function reader({ model, privacy }: KeyCall, project: string): string {
  switch (privacy) {
    case 'sealed':
      return t`Only the private model ${model} receives the result from the project “${project}”.`
    case 'relayed':
      return t`The provider of ${model} can read the result from the project “${project}”.`
    case 'forwarded':
      return t`The service and the provider of ${model} can read the result from the project “${project}”.`
  }
}
