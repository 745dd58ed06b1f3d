import { plural, t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import {
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
  type UIEvent,
} from 'react'
import type { Conversation } from '../../../shared/conversation.ts'
import type { Model } from '../../../shared/model.ts'
import { announce } from '../../ui/announcer.tsx'
import { Button } from '../../ui/button.tsx'
import { FailureNote } from '../../ui/failure-note.tsx'
import { lazyComponent } from '../../ui/lazy-component.tsx'
import { Segments } from '../../ui/segments.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useStatus } from '../../ui/status-store.ts'
import { isReactImeKey } from '../../ui/ime-key.ts'
import { scrollIntoPanel } from '../../ui/into-view.ts'
import { commandKeys } from '../../ui/shortcuts.ts'
import { compareModels, loadModels, useChat } from './chat-store.ts'
import { isChat, needsConsent, refusalOf } from './choose-model.ts'
import { loadFavourites, setFavourite, useFavourites } from './favourites.ts'
import styles from './model-panel.module.css'
import { cheapestIds, followGuide, guides, type Guide } from './model-guide.ts'
import type { RowActs } from './model-row.tsx'
import { Section } from './model-section.tsx'
import { countFilters, findModels, noFilters, type ModelSection } from './pick-models.ts'
import { usePicker } from './picker-store.ts'

const ModelFilters = lazyComponent(async () => (await import('./model-filters.tsx')).ModelFilters)
const ModelDetails = lazyComponent(async () => (await import('./model-details.tsx')).ModelDetails)

const MOST_COMPARED = 4
/** Rows that are rendered at first, and again each time the end comes near: listings have hundreds. */
const ROWS = 100
/** Distance to the end in pixels. */
const NEAR_END = 600
const PAGE = 8

interface PanelProps {
  draft: string
  model: string | undefined
  conversation: Conversation | undefined
  onPick: (modelId: string) => void
  onDone: () => void
}

/**
 * All chat models of the service: search, filters, favorites, details, and a choice of up to four that reply side by
 * side.
 */
export function ModelPanel({ draft, model, conversation, onPick, onDone }: PanelProps) {
  const list = useId()
  const models = useChat((state) => state.models)
  const failure = useChat((state) => state.modelsFailure)
  const conversations = useChat((state) => state.conversations)
  const compared = useChat((state) => state.compared[draft])
  const service = useStatus((state) => state.status?.service)
  const { ids: favourites = none, failure: unkept } = useFavourites()
  const { filters, order, comparing, guide } = usePicker()
  const [query, setWords] = useState('')
  const [active, setActive] = useState(model)
  const [limit, setLimit] = useState(ROWS)
  const [chosen, setChosen] = useState<readonly string[]>(compared ?? none)
  const [shown, setShown] = useState<'filters' | 'details'>()
  useEffect(() => {
    if (useFavourites.getState().ids === undefined) void loadFavourites()
  }, [])

  const recent = useMemo(() => [...new Set((conversations ?? []).map((one) => one.model))], [conversations])
  const chat = useMemo(() => (models ?? []).filter(isChat), [models])
  const guided = useMemo(() => followGuide(chat, guide), [chat, guide])
  const cheapest = useMemo(() => cheapestIds(chat), [chat])
  const late = useDeferredValue(query)
  const chosenAtFirst = useRef(model)
  useEffect(
    () => scrollIntoPanel(() => document.getElementById(`${list}-${chosenAtFirst.current ?? ''}`)),
    [list],
  )

  const find = (wanted: string) => findModels(guided, { query: wanted, filters, order, favourites, recent })
  const sections = useMemo(
    () => findModels(guided, { query: late, filters, order, favourites, recent }),
    [guided, late, filters, order, favourites, recent],
  )
  const offered = (found: readonly ModelSection[]) =>
    found.flatMap((section) => section.models).filter(({ id }) => refusalOf(id, service) === undefined)
  const open = offered(sections)
  const at = Math.max(
    open.findIndex(({ id }) => id === active),
    0,
  )
  const current = open[at]

  const toggle = (id: string) => {
    const next = chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]
    if (next.length > MOST_COMPARED) return announce(t`You can compare up to four models.`)
    setChosen(next)
    const count = next.length
    announce(plural(count, { one: '# model selected', other: '# models selected' }))
  }
  const choose = (id: string) => (comparing ? toggle(id) : pick(id))
  const pick = (id: string) => {
    compareModels(draft, none)
    onPick(id)
  }
  const compare = () => {
    compareModels(draft, chosen)
    onDone()
  }
  const startComparing = () => {
    setChosen(compared ?? (model !== undefined && open.some(({ id }) => id === model) ? [model] : none))
    usePicker.setState({ comparing: true })
  }
  const like = (id: string) => {
    const liked = favourites.includes(id)
    const name = chat.find((one) => one.id === id)?.name ?? id
    void setFavourite(id, !liked)
    announce(liked ? t`${name} removed from favorites.` : t`${name} added to favorites.`)
  }
  const look = (part: 'filters' | 'details') => setShown(shown === part ? undefined : part)

  const pressed = (event: KeyboardEvent) => {
    // The input method handles those keys.
    if (isReactImeKey(event)) return
    const command = event.ctrlKey || event.metaKey
    const to = command
      ? undefined
      : { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + PAGE, PageUp: at - PAGE }[event.key]
    const key = event.key.toLowerCase()
    if (to !== undefined) setActive(open[Math.min(Math.max(to, 0), open.length - 1)]?.id)
    else if (event.key === 'Enter' && command && !comparing) startComparing()
    else if (event.key === 'Enter' && command && chosen.length > 1) compare()
    else if (event.key === 'Enter') {
      // A person who types and presses Enter at once means the typed text, even if the list doesn't show its matches
      // yet.
      const wanted = query === late ? current : offered(find(query))[0]
      if (wanted) choose(wanted.id)
    } else if (command && key === 'd' && current) like(current.id)
    else if (command && key === 'i') look('details')
    else return
    event.preventDefault()
  }

  const filtered = countFilters(filters)
  const favouriteKeys = commandKeys('D')
  const act = useRows({ choose, like, point: setActive })
  const rows = useMemo(() => firstOf(sections, Math.max(limit, at + PAGE)), [sections, limit, at])
  const scrolled = ({ currentTarget: { scrollTop, clientHeight, scrollHeight } }: UIEvent) => {
    if (scrollHeight - clientHeight - scrollTop < NEAR_END)
      setLimit((before) => Math.min(before + ROWS, Math.max(before, chat.length)))
  }
  return (
    <>
      <div className={styles.head}>
        <input
          className={styles.search}
          value={query}
          onChange={(event) => {
            setWords(event.target.value)
            setActive(undefined)
            setLimit(ROWS)
          }}
          onKeyDown={pressed}
          placeholder={t`Search models`}
          aria-label={t`Search models`}
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          {...(current ? { 'aria-activedescendant': `${list}-${current.id}` } : {})}
          autoFocus
          autoComplete="off"
          spellCheck={false}
        />
        <Segments
          label={t`Kind of model`}
          options={guides.map((id) => ({ id, name: <span title={guideHints[id]}>{guideWords[id]}</span> }))}
          chosen={guide}
          onPress={(next) => usePicker.setState({ guide: next })}
        />
      </div>
      <div className={styles.middle} data-shown={shown} onScroll={scrolled}>
        {shown === 'filters' && <ModelFilters models={chat} />}
        {unkept && <FailureNote failure={unkept} className={styles.failed} />}
        <div
          className={styles.list}
          id={list}
          role="listbox"
          aria-label={t`Models`}
          aria-multiselectable={comparing}
          tabIndex={-1}
          onScroll={scrolled}
        >
          {rows.map((section, index) => (
            <Section
              key={section.id}
              first={index === 0}
              section={section}
              list={list}
              active={current?.id}
              used={model}
              chosen={comparing ? chosen : undefined}
              favourites={favourites}
              cheapest={cheapest}
              refusal={refusalOf(section.models[0]?.id ?? '', service)}
              asks={section.id === 'readable' && needsConsent(section.models[0]?.id ?? '', conversation)}
              act={act}
            />
          ))}
          {!models && !failure && <Skeleton label={t`Loading models…`} />}
          {models && sections.length === 0 && (
            <NoModels query={query} filtered={filtered > 0 || guide !== 'all'} />
          )}
        </div>
        {failure && (
          <FailureNote failure={failure} className={styles.failed} onRetry={() => void loadModels()} />
        )}
        {shown === 'details' && current && <ModelDetails model={current} />}
      </div>
      <footer className={styles.foot}>
        {comparing ? (
          <ComparedFoot
            count={chosen.length}
            mixed={isMixed(chosen, chat)}
            compare={compare}
            cancel={() => usePicker.setState({ comparing: false })}
          />
        ) : (
          <>
            <Button kind="link" aria-expanded={shown === 'filters'} onClick={() => look('filters')}>
              {filtered === 0
                ? t`Filter and sort`
                : plural(filtered, { one: 'Filter and sort (#)', other: 'Filter and sort (#)' })}
            </Button>
            <Button
              kind="link"
              aria-expanded={shown === 'details'}
              title={commandKeys('I')}
              onClick={() => look('details')}
            >
              {shown === 'details' ? t`Hide details` : t`Show details`}
            </Button>
            <Button kind="link" title={commandKeys(t`Enter`)} onClick={startComparing}>
              <Trans>Compare…</Trans>
            </Button>
            <span className={styles.keys}>
              <Trans>
                <kbd>{favouriteKeys}</kbd>: favorite
              </Trans>
            </span>
          </>
        )}
      </footer>
    </>
  )
}

const none: readonly string[] = []

const guideWords: Readonly<Record<Guide, string>> = {
  get all() {
    return t`All`
  },
  get smart() {
    return t`Smart`
  },
  get fast() {
    return t`Fast`
  },
  get cheap() {
    return t`Low cost`
  },
}

/** Listings report neither quality nor speed, so each hint states the criterion. */
const guideHints: Readonly<Record<Guide, string | undefined>> = {
  all: undefined,
  get smart() {
    return t`Models that reason before they reply`
  },
  get fast() {
    return t`Models whose names say fast, such as mini or flash`
  },
  get cheap() {
    return t`The cheapest quarter of the models`
  },
}

function useRows(now: RowActs): RowActs {
  const last: RefObject<RowActs> = useRef(now)
  useEffect(() => {
    last.current = now
  })
  return useMemo(
    () => ({
      choose: (id) => last.current.choose(id),
      like: (id) => last.current.like(id),
      point: (id) => last.current.point(id),
    }),
    [],
  )
}

function firstOf(sections: readonly ModelSection[], count: number): readonly ModelSection[] {
  let remaining = count
  return sections.flatMap((section) => {
    const models = section.models.slice(0, remaining)
    remaining -= models.length
    return models.length === 0 ? [] : [{ ...section, models }]
  })
}

function isMixed(chosen: readonly string[], models: readonly Model[]): boolean {
  const privacies = new Set(models.filter(({ id }) => chosen.includes(id)).map((model) => model.private))
  return privacies.size > 1
}

function NoModels({ query, filtered }: { query: string; filtered: boolean }) {
  if (filtered)
    return (
      <p className={styles.none} role="status">
        <Trans>No matches</Trans>{' '}
        <Button kind="link" onClick={() => usePicker.setState({ filters: noFilters, guide: 'all' })}>
          <Trans>Clear filters</Trans>
        </Button>
      </p>
    )
  return (
    <p className={styles.none} role="status">
      {query ? t`No matches` : t`The service lists no chat models.`}
    </p>
  )
}

function ComparedFoot({
  count,
  mixed,
  compare,
  cancel,
}: {
  count: number
  mixed: boolean
  compare: () => void
  cancel: () => void
}) {
  return (
    <>
      <span className={styles.says}>
        {mixed
          ? t`Before non-private models reply, Sotto shows what they can read and asks you to allow it.`
          : t`Choose two to four models. Each gets the same question.`}
      </span>
      <div className={styles.buttons}>
        <Button onClick={cancel}>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="primary" disabled={count < 2} onClick={compare}>
          {count < 2 ? t`Compare` : t`Compare ${count} models`}
        </Button>
      </div>
    </>
  )
}
