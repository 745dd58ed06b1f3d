import { t } from '@lingui/core/macro'
import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useEffect } from 'react'
import type { Conversation } from '../../../shared/conversation.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { useCurrentChat } from '../../ui/current-chat.ts'
import { PrivacyDisc } from '../../ui/privacy-mark.tsx'
import { sealOf } from '../../ui/seal.ts'
import { useVerdictState } from '../../ui/verdict-store.ts'
import { useChat } from './chat-store.ts'
import { isUnlisted } from './choose-model.ts'
import styles from './model-picker.module.css'
import { closePicker, showPicker, usePicker } from './picker-store.ts'

const load = async () => (await import('./model-panel.tsx')).ModelPanel
const ModelPanel = lazyComponent(load)

interface PickerProps {
  draft: string
  model: string | undefined
  conversation: Conversation | undefined
  onPick: (modelId: string) => void
  /** Returns the keyboard focus to the text. */
  onDone: () => void
}

/** The model that answers next, or the models that answer side by side. */
export function ModelPicker({ draft, model, conversation, onPick, onDone }: PickerProps) {
  const open = usePicker((state) => state.open)
  const currentChat = useCurrentChat()
  const verdict = useVerdictState()
  const sealOfModel = (id: string) =>
    sealOf({ isPrivate: isPrivateModel(id), isBlocked: false, verdict, currentChat })
  const compared = useChat((state) => state.compared[draft])
  const name = useChat((state) => state.models?.find(({ id }) => id === model)?.name ?? model)
  const unlisted = useChat((state) => isUnlisted(state.models, model))
  useEffect(() => closePicker, [])
  const count = compared?.length
  return (
    <Popover.Root
      open={open}
      onOpenChange={(next) => (next ? showPicker({ comparing: compared !== undefined }) : closePicker())}
    >
      <Popover.Trigger
        className={styles.trigger}
        aria-label={
          count === undefined ? t`Model: ${name ?? t`none`}` : t`Models: ${count} models side by side`
        }
        onPointerEnter={() => void load()}
        onFocus={() => void load()}
      >
        {compared ? (
          <span className={styles.glyphs}>
            {compared.map((id) => (
              <PrivacyDisc key={id} privacy={sealOfModel(id)} />
            ))}
          </span>
        ) : (
          model !== undefined && !unlisted && <PrivacyDisc privacy={sealOfModel(model)} />
        )}
        <span className={styles.name}>
          {count === undefined ? (name ?? t`Choose a model`) : t`${count} models side by side`}
        </span>
        <ChevronDown size={14} strokeWidth={1.75} aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className={styles.picker}
          side="top"
          align="start"
          // The picker begins where the composer begins, unless the window is too narrow.
          alignOffset={-45}
          sideOffset={6}
          collisionPadding={8}
          aria-label={t`Choose a model`}
        >
          <ModelPanel
            draft={draft}
            model={model}
            conversation={conversation}
            onPick={(id) => {
              closePicker()
              onPick(id)
            }}
            onDone={() => {
              closePicker()
              onDone()
            }}
          />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}
