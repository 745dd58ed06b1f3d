import { ChevronDown } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useId, useState, type KeyboardEvent } from 'react'
import type { Conversation } from '../../../shared/conversation.ts'
import type { Model } from '../../../shared/model.ts'
import { isPrivateModel, PRIVATE_PREFIX } from '../../../shared/privacy.ts'
import { Button } from '../../ui/button.tsx'
import { formatUsd } from '../../ui/format/money.ts'
import { formatContext } from '../../ui/format/number.ts'
import { PrivacyGlyph, privacyWord } from '../../ui/privacy-mark.tsx'
import { useStatus } from '../../ui/status-store.ts'
import { loadModels, useChat } from './chat-store.ts'
import { groupModels, needsConsent, refusalOf, type ModelGroup } from './choose-model.ts'
import { listedPrices } from './estimate.ts'
import styles from './model-picker.module.css'

interface PickerProps {
  model: string | undefined
  conversation: Conversation | undefined
  onPick: (modelId: string) => void
}

/** The model that answers next: private ones first, each with its price and the length of its context. */
export function ModelPicker({ model, conversation, onPick }: PickerProps) {
  const [open, setOpen] = useState(false)
  const name = useChat((state) => state.models?.find(({ id }) => id === model)?.name ?? model)
  return (
    <Popover.Root open={open} onOpenChange={setOpen}>
      <Popover.Trigger className={styles.trigger} aria-label={`Model: ${name ?? 'none'}`}>
        {model !== undefined && <PrivacyGlyph privacy={isPrivateModel(model) ? 'sealed' : 'forwarded'} />}
        <span className={styles.name}>{name ?? 'Choose a model'}</span>
        <ChevronDown size={14} strokeWidth={1.75} aria-hidden />
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content className={styles.picker} side="top" align="start" sideOffset={6} collisionPadding={8} aria-label="Choose a model">
          <Picker model={model} conversation={conversation} onPick={(id) => { setOpen(false); onPick(id) }} />
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  )
}

function Picker({ model, conversation, onPick }: PickerProps) {
  const list = useId()
  const models = useChat((state) => state.models)
  const failure = useChat((state) => state.modelsFailure)
  const service = useStatus((state) => state.status?.service)
  const [question, setQuestion] = useState('')
  const [active, setActive] = useState(model)
  const groups = groupModels(models ?? [], question)
  const open = groups.flatMap((group) => group.models).filter(({ id }) => refusalOf(id, service) === undefined)
  const at = Math.max(open.findIndex(({ id }) => id === active), 0)

  const pressed = (event: KeyboardEvent) => {
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }[event.key]
    if (to !== undefined) {
      event.preventDefault()
      setActive(open[Math.min(Math.max(to, 0), open.length - 1)]?.id)
    }
    if (event.key === 'Enter') {
      event.preventDefault()
      const chosen = open[at]
      if (chosen) onPick(chosen.id)
    }
  }

  return (
    <>
      <input
        className={styles.search}
        value={question}
        onChange={(event) => { setQuestion(event.target.value); setActive(undefined) }}
        onKeyDown={pressed}
        placeholder="Search models"
        aria-label="Search models"
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        {...(open[at] ? { 'aria-activedescendant': `${list}-${open[at].id}` } : {})}
        autoFocus
        autoComplete="off"
        spellCheck={false}
      />
      <div className={styles.list} id={list} role="listbox" aria-label="Models" tabIndex={-1}>
        {groups.map((group) => (
          <Group key={String(group.private)} group={group} list={list} active={open[at]?.id} chosen={model} refusal={refusalOf(group.models[0]?.id ?? '', service)} asks={needsConsent(group.models[0]?.id ?? PRIVATE_PREFIX, conversation)} onPick={onPick} onPoint={setActive} />
        ))}
      </div>
      {!models && !failure && <p className={styles.none} role="status">Fetching the service’s models…</p>}
      {failure && <p className={styles.none} role="alert">{failure.says} {failure.remedy} <Button kind="plain" onClick={() => void loadModels()}>Fetch again</Button></p>}
      {models && groups.length === 0 && <p className={styles.none} role="status">{question ? 'No model has these words.' : 'The service lists no chat model.'}</p>}
    </>
  )
}

interface GroupProps {
  group: ModelGroup
  list: string
  active: string | undefined
  chosen: string | undefined
  /** Why none of them can be had here. */
  refusal: string | undefined
  /** This conversation is private, and each answer of theirs is asked about. */
  asks: boolean
  onPick: (modelId: string) => void
  onPoint: (modelId: string) => void
}

function Group({ group, list, active, chosen, refusal, asks, onPick, onPoint }: GroupProps) {
  const privacy = group.private ? 'sealed' : 'forwarded'
  return (
    <div role="group" aria-label={privacyWord[privacy]} className={styles.group}>
      <div className={styles.heading} data-privacy={privacy}>
        <PrivacyGlyph privacy={privacy} />
        <span>{group.private ? 'Private: sealed for a proven enclave' : privacyWord.forwarded}</span>
      </div>
      {refusal !== undefined && <p className={styles.refusal}>{refusal}</p>}
      {asks && <p className={styles.refusal}>This conversation is private. Before one of these answers, you are shown what it would read, and asked each time.</p>}
      {group.models.map((model) => (
        <div
          key={model.id}
          id={`${list}-${model.id}`}
          role="option"
          aria-selected={model.id === active}
          aria-disabled={refusal !== undefined}
          className={styles.model}
          data-chosen={model.id === chosen}
          ref={model.id === active ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
          onPointerMove={refusal === undefined && model.id !== active ? () => onPoint(model.id) : undefined}
          onClick={refusal === undefined ? () => onPick(model.id) : undefined}
        >
          <span className={styles.modelName}>{model.name}{model.id === chosen && <span className={styles.chosen}> in use</span>}</span>
          <code className={styles.id}>{model.id}</code>
          <span className={styles.price}>{priceWords(model)}</span>
        </div>
      ))}
    </div>
  )
}

function priceWords(model: Model): string {
  const prices = listedPrices(model)
  const words = prices ? `${formatUsd(prices.input)} in, ${formatUsd(prices.output)} out` : 'price not given'
  return model.contextLength === undefined ? words : `${words}, ${formatContext(model.contextLength)} context`
}
