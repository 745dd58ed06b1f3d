import { notifyManager, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createContext, use, type ReactNode } from 'react'
import { create } from 'zustand'
import { currentService, useStatus } from '../ui/status-store.ts'

/** One service and account, and the cache of its answers. Every query key begins with `service`. */
export interface Scope {
  readonly service: string
  readonly client: QueryClient
}

// A change is shown in the event that causes it. If it came later, React would move the caret of a text field.
notifyManager.setScheduler((notify) => notify())

const useCurrentScope = create<Scope>()(() => createScope(currentService() ?? ''))
useStatus.subscribe(() => void currentScope())

function createScope(service: string): Scope {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        // The core is on this computer, so the state of the network doesn't matter.
        networkMode: 'always',
        retry: false,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        // Answers end with their service. A question with unlimited variants sets a shorter time.
        gcTime: Infinity,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  // A change of state replaces objects. Comparing them deeply would copy each row of a list that shifts.
  client.setQueryDefaults([service, 'state'], { structuralSharing: false })
  return { service, client }
}

/**
 * The scope of the service and account in use. Code that waits for an answer takes the scope before it asks: after a
 * change of service the answer goes to a client that nothing shows.
 */
export function currentScope(): Scope {
  const scope = useCurrentScope.getState()
  const service = currentService()
  if (service === undefined || service === scope.service) return scope
  const next = createScope(service)
  useCurrentScope.setState(next)
  void scope.client.cancelQueries()
  scope.client.clear()
  return next
}

const ScopeContext = createContext<Scope | undefined>(undefined)

/** Remounts its children when the service or the account changes, so that a late answer reaches no component. */
export function ServiceScope({ children }: { readonly children: ReactNode }) {
  const scope = useCurrentScope()
  return (
    <ScopeContext key={scope.service} value={scope}>
      <QueryClientProvider client={scope.client}>{children}</QueryClientProvider>
    </ScopeContext>
  )
}

/** The scope that the component belongs to. Outside of a ServiceScope that is the current one. */
export function useNearestScope(): Scope {
  const current = useCurrentScope()
  return use(ScopeContext) ?? current
}

/** The scope that the component belongs to. Throws outside of a ServiceScope. */
export function useScope(): Scope {
  const scope = use(ScopeContext)
  if (!scope) throw new Error('useScope needs a ServiceScope above it.')
  return scope
}
