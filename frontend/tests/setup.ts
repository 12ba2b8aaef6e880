import { cleanup, configure } from '@testing-library/react';
import { afterEach } from 'vitest';

// Pages load their parts lazily, which takes longer than the usual second on a busy machine.
configure({ asyncUtilTimeout: 4000 });
afterEach(cleanup);
