import Buy from '../features/coins/Buy';
import { coinGate } from './coinGate';

export default coinGate(Buy);
