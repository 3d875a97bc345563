import Coins from '../features/coins/Coins';
import { coinGate } from './coinGate';

export default coinGate(Coins, false);
