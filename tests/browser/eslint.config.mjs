// See `lint`.
import { createRequire } from 'node:module';
import path from 'node:path';

const require = createRequire(path.join(process.env.TOOLS, 'package.json'));

export default [
  require('@eslint/js').configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, sourceType: 'module', globals: require('globals').browser },
    rules: {
      complexity: ['error', { max: 20, variant: 'modified' }],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'max-len': ['error', { code: 140 }],
      'max-lines': ['error', { max: 200 }],
      'max-lines-per-function': ['error', { max: 60 }],
      // Control characters are shown as what they are.
      'no-control-regex': 'off',
      'no-shadow': 'error',
      'no-use-before-define': ['error', { functions: false }],
      'no-var': 'error',
      'one-var': ['error', 'never'],
      'prefer-const': 'error',
    },
  },
];
