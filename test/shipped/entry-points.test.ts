import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { ContractProcedure } from '@orpc/contract'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { windowPages } from '../../build/window-plugins.ts'
import { contract } from '../../src/shared/contract/sotto-contract.ts'
import { policyNarrowingSchema } from '../../src/shared/policy/narrowing.ts'
import { profileSchema } from '../../src/shared/profile.ts'
import { filesBelow, nodesOf, readProgram, root, sourcePath } from './program.ts'
import { HANDLES, isClockName, isRootsName, TakenWalk } from './outside-inputs.ts'

/**
 * Roots of trust and the time decide which evidence is accepted, so nothing that ships takes either from outside.
 * That covers entries, commands, environment variables, calls of the contract, and the modules of host, shell and
 * command line. Functions that take them are inside the core. They receive the built-in roots, or the sandbox's
 * roots, and this machine's clock.
 */
const program = readProgram()
const checker = program.getTypeChecker()
const SHELLS = ['cli/', 'host/', 'main/', 'preload/']
const shells = filesBelow(program, SHELLS)
const shipped = program.getSourceFiles().filter((file) => sourcePath(file) !== undefined)

function readParsed(path: string): ts.SourceFile {
  return ts.createSourceFile(path, readFileSync(join(root, path), 'utf8'), ts.ScriptTarget.Latest, true)
}

function texts(nodes: Iterable<ts.Node>): string[] {
  return [...nodes].filter(ts.isStringLiteral).map(({ text }) => text)
}

describe('the shipped entries', () => {
  it('are these files, built into one folder', () => {
    const manifest = z
      .object({
        main: z.string(),
        exports: z.unknown(),
        bin: z.record(z.string(), z.string()),
        scripts: z.record(z.string(), z.string()),
      })
      .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')))
    expect([manifest.main, ...Object.values(manifest.bin), manifest.scripts['start']]).toEqual([
      'out/main/index.js',
      'bin/sotto.cjs',
      'npm run --silent build && node --disable-sigusr1 out/main/start.js',
    ])
    // Electron starts with `main`. A program can't import the package.
    expect(manifest.exports).toEqual({
      '.': { electron: './out/main/index.js' },
      './package.json': './package.json',
    })
    // The launcher has no code of the product. It passes its arguments on, and one flag of Node.js
    // (test/packaging/launcher.test.ts).
    expect(
      readFileSync(join(root, 'bin/sotto.cjs'), 'utf8').match(/'--[a-z-]+[a-z\d]+'|process\.env/g),
    ).toEqual(["'--disable-sigusr1'"])
    const sources = texts(nodesOf(readParsed('electron.vite.config.ts'))).filter((text) =>
      text.startsWith('src/'),
    )
    // These built files of the core are worker threads: only this process starts them and sends them messages.
    const entries = sources.filter((source) => !/^src\/core\/.*-worker\.ts$/.test(source)).sort()
    expect(entries).toEqual([
      'src/cli/sotto.ts',
      'src/cli/start.ts',
      'src/main/index.ts',
      'src/preload/index.ts',
      'src/renderer',
    ])
    expect(windowPages(root).map((page) => relative(root, page).replaceAll('\\', '/'))).toEqual([
      'src/renderer/index.html',
      'src/renderer/admin.html',
    ])
  })

  it('import nothing of the tests, which inject roots and a clock', () => {
    const outside = shipped.flatMap((file) =>
      texts(nodesOf(file)).filter((text) => /^\.\.?\/(?:.*\/)?(?:test|conformance)\//.test(text)),
    )
    expect(outside).toEqual([])
  })
})

/** Parameters named like a time that don't affect which evidence is accepted. */
const exceptions: readonly string[] = [
  // `sotto verify --at`: a second answer in addition to the verdict for now. It sends nothing.
  'cli/verify.ts: verify(options).at: clock',
  'cli/verify-saved.ts: verifySaved(__1).at: clock',
  'host/saved-evidence.ts: verifySavedEvidence(asOf): clock',
  // How long a caller waits after a wrong confirmation code. No entry passes one in (below).
  'cli/terminal-confirm.ts: createTerminalConfirm(now): clock',
  'main/native-confirm.ts: createNativeConfirm(now): clock',
  // Records that `--json` prints, with their times.
  'cli/json-amounts.ts: matchJson(__0).at: clock',
  'cli/json-amounts.ts: purchaseJson(__0).at: clock',
  'cli/json-amounts.ts: sharedReceiptJson(__0).receipt.at: clock',
  // A job, as the contract returns it.
  'cli/studio/make-job.ts: makeJob(making).resume().',
]

describe('the modules of host, shell and command line', () => {
  const exported = shells.flatMap((file) => {
    const module = checker.getSymbolAtLocation(file)
    const symbols = module ? checker.getExportsOfModule(module) : []
    // A re-export from another of these modules is checked there. A re-export from the core is checked here.
    return symbols
      .filter((symbol) => !isDeclaredElsewhereAmongThem(symbol, file))
      .map((symbol) => ({ file, symbol }))
  })

  it('export functions', () => {
    expect(exported.length).toBeGreaterThan(30)
    expect(exported.map(({ file, symbol }) => `${sourcePath(file) ?? ''}: ${symbol.name}`)).toEqual(
      expect.arrayContaining(['host/host.ts: startHost', 'cli/verify.ts: verify']),
    )
  })

  it('accept neither roots nor a clock', () => {
    const inputs = exported.flatMap(({ file, symbol }) =>
      new TakenWalk(checker)
        .ofExport(symbol)
        .map(({ path, what }) => `${sourcePath(file) ?? ''}: ${path}: ${what}`),
    )
    expect(inputs.filter((found) => !exceptions.some((exception) => found.startsWith(exception)))).toEqual([])
  })

  function isDeclaredElsewhereAmongThem(symbol: ts.Symbol, file: ts.SourceFile): boolean {
    const target = (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol
    const declared = target.declarations?.[0]?.getSourceFile()
    return declared !== undefined && declared !== file && shells.includes(declared)
  }

  it('construct the windows’ sessions without a custom clock', () => {
    const constructions = shells
      .flatMap((file) => [...nodesOf(file)].filter(ts.isNewExpression))
      .filter(({ expression }) => expression.getText() === 'WindowSessions')
    expect(constructions.map((node) => node.arguments?.length)).toEqual([0])
  })

  it.each(['createTerminalConfirm', 'createNativeConfirm'])('call %s without a custom clock', (name) => {
    const calls = shells
      .flatMap((file) => [...nodesOf(file)].filter(ts.isCallExpression))
      .filter(({ expression }) => expression.getText() === name)
    expect(calls.map((node) => node.arguments.length)).toEqual(calls.map(() => 1))
    expect(calls.length).toBeGreaterThan(0)
  })
})

function exportOf(path: string, name: string): ts.Symbol {
  const file = program.getSourceFile(join(root, 'src', path))
  const module = file && checker.getSymbolAtLocation(file)
  const symbol = module && checker.getExportsOfModule(module).find((exported) => exported.name === name)
  if (!symbol) throw new Error(`src/${path} exports no ${name}`)
  return symbol
}

describe('a request over a connection', () => {
  // The proxy calls the relay. The headless UI server, the window and the owner's socket pass whole requests to the
  // host, whose calls are below.
  it.each([
    ['core/gateway/relay/relay.ts', 'Relay'],
    ['core/core.ts', 'Core'],
    ['host/host.ts', 'Host'],
    ['host/owner-socket.ts', 'OwnerCommands'],
    ['preload/bridge.ts', 'Desktop'],
  ])('reaches no method that accepts either: %s, %s', (path, name) => {
    expect(new TakenWalk(checker).ofInterface(exportOf(path, name))).toEqual([])
  })
})

describe('the search for parameters', () => {
  it('finds both in the core, which only the host calls, and in the verifier', () => {
    const found = (path: string, name: string) => new TakenWalk(checker).ofExport(exportOf(path, name))
    expect(found('core/core.ts', 'createCore')).toEqual(
      expect.arrayContaining([
        { path: 'createCore(coreOptions).now', what: 'clock' },
        { path: 'createCore(coreOptions).trust.roots()', what: 'roots' },
      ]),
    )
    expect(found('verifier/index.ts', 'verifyEvidence')).toEqual(
      expect.arrayContaining([
        { path: 'verifyEvidence(trust)', what: 'roots' },
        { path: 'verifyEvidence(now)', what: 'clock' },
      ]),
    )
    expect(found('sandbox/index.ts', 'startSandbox')).toContainEqual({
      path: 'startSandbox(options).now',
      what: 'clock',
    })
    expect(found('host/settings.ts', 'readSettings')).toEqual([])
  })

  it('skips only the listed handles, where they are declared', () => {
    expect(Object.entries(HANDLES).map(([name, path]) => [name, exportOf(path, name).name])).toEqual(
      Object.keys(HANDLES).map((name) => [name, name]),
    )
    // Types that only resemble these handles are still walked. A purchase contains the time of its invoice, and a
    // listing's client would contain its own time.
    expect(new TakenWalk(checker).ofExport(exportOf('cli/client.ts', 'clientOf'))).toEqual([])
    expect(
      new TakenWalk(checker).ofExport(exportOf('core/jobs/export-jobs.ts', 'exportJobs')),
    ).toContainEqual({ path: 'exportJobs(jobs).at', what: 'clock' })
  })
})

describe('the arguments of the core', () => {
  const calls = shipped.flatMap((file) =>
    [...nodesOf(file)].filter(ts.isCallExpression).map((call) => ({ file, call })),
  )
  const callsOf = (name: string) =>
    calls.filter(({ call }) => ts.isIdentifier(call.expression) && call.expression.text === name)

  /** The expression of a member in an object literal. */
  const member = (literal: ts.Expression | undefined, name: string) => {
    if (!literal || !ts.isObjectLiteralExpression(literal)) return undefined
    return literal.properties
      .filter(ts.isPropertyAssignment)
      .find((property) => property.name.getText() === name)?.initializer
  }

  /** The trust sets that an expression chooses between. */
  function* choices(expression: ts.Expression): Generator<ts.Expression> {
    if (!ts.isConditionalExpression(expression)) yield expression
    else for (const side of [expression.whenTrue, expression.whenFalse]) yield* choices(side)
  }

  function describeTrust(literal: ts.Expression): string {
    const roots = member(literal, 'roots')
    const name = member(literal, 'name')?.getText() ?? ''
    if (roots && ts.isIdentifier(roots)) return `${name}: ${declaredIn(roots)}`
    const body = roots && ts.isArrowFunction(roots) ? roots.body : undefined
    const called =
      body && ts.isCallExpression(body) && ts.isPropertyAccessExpression(body.expression)
        ? body.expression
        : undefined
    return `${name}: ${called ? `${checker.getTypeAtLocation(called.expression).symbol.name}.${called.name.text}()` : 'something else'}`
  }

  /** The file and name of a symbol's declaration. */
  function declaredIn(identifier: ts.Identifier): string {
    const symbol = checker.getSymbolAtLocation(identifier)
    const target =
      symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0 ? checker.getAliasedSymbol(symbol) : symbol
    const file = target?.declarations?.[0]?.getSourceFile()
    return `${file ? (sourcePath(file) ?? '') : ''} ${target?.name ?? ''}`
  }

  it('are this computer’s clock, everywhere', () => {
    const calls = callsOf('createCore')
    expect(calls.length).toBeGreaterThan(0)
    for (const { file, call } of calls) {
      expect(sourcePath(file)).toMatch(/^host\//)
      expect(member(call.arguments[0], 'now')?.getText()).toBe('Date.now')
    }
  })

  it('are the built-in roots, or the sandbox’s own, each with its name', () => {
    const sets = callsOf('createCore').flatMap(({ call }) => {
      const trust = member(call.arguments[0], 'trust')
      return trust ? [...choices(trust)].map(describeTrust) : ['nothing']
    })
    const allowed = [`'built-in': host/resources.ts builtInTrust`, `'sandbox': Sandbox.trust()`]
    expect(sets.filter((set) => !allowed.includes(set))).toEqual([])
    expect(sets).toContain(allowed[0])
  })

  it.each(['assessEvidence', 'assessServiceEnclave'])(
    'verify saved evidence with the built-in roots (%s)',
    (functionName) => {
      const outside = callsOf(functionName).filter(
        ({ file }) => !/^(?:core|verifier)\//.test(sourcePath(file) ?? ''),
      )
      expect(outside.map(({ file }) => sourcePath(file))).toEqual(['host/saved-evidence.ts'])
      const [onlyCall] = outside
      const argument = onlyCall?.call.arguments[0]
      const trust =
        argument && ts.isObjectLiteralExpression(argument)
          ? argument.properties.find((property) => property.name?.getText() === 'trust')
          : undefined
      const declaration =
        trust && ts.isShorthandPropertyAssignment(trust)
          ? checker.getShorthandAssignmentValueSymbol(trust)?.valueDeclaration
          : undefined
      expect(declaration?.getText()).toBe('trust = await builtInTrust()')
    },
  )

  it('are roots that are read only from the program’s folder', () => {
    const literals = shells.flatMap((file) =>
      [...nodesOf(file)]
        .filter(ts.isObjectLiteralExpression)
        .filter((literal) =>
          literal.properties.some((property) => property.name?.getText() === 'sigstoreTrustedRoot'),
        )
        .map(() => sourcePath(file)),
    )
    expect(literals).toEqual(['host/resources.ts'])
    const textOf = (file: string): string => program.getSourceFile(join(root, file))?.getText() ?? ''
    const [resources, folder] = [textOf('src/host/resources.ts'), textOf('src/host/application-root.ts')]
    expect(resources).toContain("readFile(resourcePath('trust', name), 'utf8')")
    expect(folder).toContain("applicationRoot = join(import.meta.dirname, '..', '..')")
    expect(folder).toContain("return join(applicationRoot, 'resources', ...names)")
    expect(`${resources}${folder}`).not.toMatch(/process\.|environment|argv|fetch\(/)
  })
})

describe('the environment and the command line', () => {
  it('have these variables, and none for roots or time', () => {
    const names = shipped.flatMap((file) =>
      [...nodesOf(file)].flatMap((node) => {
        const isEnvironment =
          ts.isElementAccessExpression(node) && /\benv(?:ironment)?$/.test(node.expression.getText())
        const [, called] =
          ts.isCallExpression(node) && node.expression.getText() === 'optional'
            ? [...node.arguments].slice(1)
            : []
        const name = isEnvironment ? node.argumentExpression : called
        return name && ts.isStringLiteralLike(name) ? [name.text] : []
      }),
    )
    expect(names).toEqual(expect.arrayContaining(['SOTTO_DATA_DIR', 'SOTTO_PORT', 'SOTTO_VAULT']))
    // It names a folder for sockets, not a clock.
    const others = names.filter((name) => name !== 'XDG_RUNTIME_DIR')
    expect(others.filter((name) => /ROOT|TRUST|CERT|ANCHOR|\bCA\b|TIME|CLOCK|NOW|DATE/.test(name))).toEqual(
      [],
    )
  })

  it('have these options, one of which sets another time, and none for roots', () => {
    // Any file of the command line may define a command. `new Option(…)` defines an option as `.option(…)` does.
    const options = filesBelow(program, ['cli/'])
      .flatMap((file) => [...nodesOf(file)])
      .flatMap((node) => {
        const defines = ts.isNewExpression(node)
          ? node.expression.getText() === 'Option'
          : ts.isCallExpression(node) &&
            ts.isPropertyAccessExpression(node.expression) &&
            ['option', 'requiredOption', 'argument'].includes(node.expression.name.text)
        const first =
          defines && (ts.isNewExpression(node) || ts.isCallExpression(node)) ? node.arguments?.[0] : undefined
        return first && ts.isStringLiteralLike(first) ? [first.text] : []
      })
    const optionNames = options.map(
      (option) => /(?:--(?:no-)?)?([a-z-]+)/i.exec(option.replace(/^-\w, /, ''))?.[1] ?? option,
    )
    expect(optionNames).toEqual(expect.arrayContaining(['open', 'json', 'at', 'service', 'port']))
    expect(optionNames.filter((word) => isRootsName(word))).toEqual([])
    expect(optionNames.filter((word) => isClockName(word))).toEqual(['at'])
  })
})

/** Every member of a schema's input, by its path. A member of any type is listed as `*`. */
function membersOf(schema: z.ZodType): string[] {
  const found: string[] = []
  const walk = (node: unknown, path: string) => {
    if (typeof node !== 'object' || node === null) return
    const { properties, ...rest } = node as { readonly properties?: Readonly<Record<string, unknown>> }
    for (const [name, value] of Object.entries(properties ?? {})) {
      found.push(`${path}.${name}`)
      // A Blob has no members to check: it is bytes, which zod can't describe as JSON schema.
      if (
        typeof value === 'object' &&
        value !== null &&
        Object.keys(value).length === 0 &&
        !blobs.has(`${path}.${name}`)
      )
        found.push(`${path}.${name}.*`)
      walk(value, `${path}.${name}`)
    }
    for (const value of Object.values(rest).flat()) walk(value, path)
  }
  walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), '')
  return found
}

/** The inputs of calls that are bytes. */
const blobs = new Set(['.ask.image', '.content'])

const lastOf = (path: string) => path.slice(path.lastIndexOf('.') + 1)
const suspicious = (path: string) =>
  isRootsName(lastOf(path)) || isClockName(lastOf(path)) || lastOf(path) === '*'

interface Procedure {
  readonly name: string
  readonly inputSchema: z.ZodType | undefined
}

/** Every call of a contract, by its full name: routers are nested. */
function proceduresOf(routers: object, prefix = ''): Procedure[] {
  return Object.entries(routers).flatMap(([name, router]: [string, unknown]) => {
    if (router instanceof ContractProcedure) {
      const inputSchema: unknown = router['~orpc'].inputSchema
      return [
        { name: prefix + name, inputSchema: inputSchema instanceof z.ZodType ? inputSchema : undefined },
      ]
    }
    return typeof router === 'object' && router !== null ? proceduresOf(router, `${prefix}${name}.`) : []
  })
}

describe('the contract, for window, commands and socket', () => {
  const procedures = proceduresOf(contract)

  it('has procedures', () => {
    expect(procedures.length).toBeGreaterThan(20)
    expect(procedures.find(({ name }) => name === 'privacy.verify')).toMatchObject({ inputSchema: undefined })
  })

  it.each(procedures.flatMap(({ name, inputSchema }) => (inputSchema ? [[name, inputSchema] as const] : [])))(
    '%s accepts neither roots nor a clock',
    (_, inputSchema) => {
      expect(membersOf(inputSchema).filter(suspicious)).toEqual([])
    },
  )
})

describe('a profile', () => {
  it('contains neither roots nor a clock', () => {
    const members = membersOf(profileSchema)
    expect(members).toEqual(expect.arrayContaining(['.policy.sevSnp.products', '.policy.code.repository']))
    expect(members.filter(suspicious)).toEqual([])
    expect(membersOf(policyNarrowingSchema).filter(suspicious)).toEqual([])
  })
})
