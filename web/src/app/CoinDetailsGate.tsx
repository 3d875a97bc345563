import Details from '../features/coins/Details';
import { coinGate } from './coinGate';

export default coinGate(Details);
