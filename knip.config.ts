import type { KnipConfig } from 'knip'

/** The entry points. Code that no entry reaches is dead and fails the check. */
const config: KnipConfig = {
  entry: [
    // The product: the desktop shell, the command, and their threads.
    'src/main/index.ts',
    'src/preload/index.ts',
    'src/cli/{sotto,start}.ts',
    'bin/sotto.cjs',
    'src/**/*-worker.ts',
    'src/**/*.d.ts',
    'src/renderer/{,admin/}main.tsx',
    // Tools: npm scripts, workflows, lint and the settings of other tools.
    'build/*.ts',
    'build/linux/fpm.ts',
    'lint/{report,words/check}.ts',
    'lint/*.d.ts',
    '*.config.{js,ts}',
    'test/**/*.config.ts',
    // Tests, and the programs and pages that they start.
    'test/**/*.{test,spec,fuzz}.{ts,tsx}',
    'test/**/{run,main}.{ts,tsx}',
    'test/**/*{-process,-worker}.ts',
    'test/**/*.mjs',
    'test/bench/{bare-*,pass-through,published-proxy,sandbox-service}.ts',
    'test/conformance/adapter.ts',
    'test/core/storage/released/dump.ts',
    'test/core/storage/vault/keychain-session.ts',
    'test/process/{keychain-restart,real-lightning,spending-world}.ts',
    'test/soak/enclave.ts',
  ],
  ignoreDependencies: [
    // Provides the Node.js of the scripts (build/use-node.js).
    'pinned-node',
    // Parts of others' packages that must be the very version of these.
    'decode-named-character-reference',
    'hyparquet',
    'playwright-core',
    // Installed by test/sdks/run.ts into a folder of its own.
    '@ai-sdk/.+',
    '@langchain/.+',
    '@llamaindex/.+',
    '@openai/agents',
    'ai',
  ],
  // A virtual module of build/window-plugins.ts.
  ignoreUnresolved: ['#changelog'],
  // A type that an exported function names belongs to its interface.
  ignoreExportsUsedInFile: { interface: true, type: true },
  project: ['{bin,src,build,lint,test}/**/*.{ts,tsx,js,cjs,mjs}', '*.{ts,js}'],
}

export default config
